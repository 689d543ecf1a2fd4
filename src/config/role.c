#include "keyavg/role.h"

#include "keyavg/nearest.h"

const struct role_entry roles[ROLE_COUNT] = {
#define ROLE_ENTRY(id, name, letter, attributes, meaning) {name, meaning, letter, attributes},
    ROLES(ROLE_ENTRY)
#undef ROLE_ENTRY
};

enum role role_of_share(double share)
{
    /* The least share of each warmer step: half of a per cent is noise, a fifth is where the time goes. */
    static const double least[ROLE_HEATS - 1] = {0.005, 0.02, 0.08, 0.20};
    unsigned heat = 0;
    while (heat < ROLE_HEATS - 1 && share >= least[heat])
        heat++;
    return (enum role)(ROLE_HEAT_0 + heat);
}

enum role role_find(struct span name)
{
    for (unsigned i = 0; i < ROLE_COUNT; i++)
        if (span_is(name, roles[i].name))
            return (enum role)i;
    return ROLE_COUNT;
}

const char *role_nearest(struct span name)
{
    struct nearest nearest;
    nearest_init(&nearest, name);
    for (unsigned i = 0; i < ROLE_COUNT; i++)
        nearest_offer(&nearest, roles[i].name);
    return nearest.name;
}
