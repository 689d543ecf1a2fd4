#include <config.h>

#include <stdio.h>

int main(void)
{
    puts(PACKAGE_NAME " " PACKAGE_VERSION);
    return 0;
}
