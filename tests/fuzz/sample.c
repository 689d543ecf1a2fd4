/* The trace that expressions, keys and configurations are tried on. */
#include "fuzz.h"

/* clang-format off */
const char fuzz_sample[] =
"{\"schemaVersion\":1,\"record_shapes\":1,\"with_stack\":1,\"profile_memory\":1,\"with_flops\":1,\"with_modules\":1,"
"\"deviceProperties\":[{\"id\":0,\"name\":\"Device \\u001b[31m\"}],\"distributedInfo\":{\"rank\":1,\"world_size\":2},"
"\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":["
"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,\"args\":{\"name\":\"main \\u202e thread\"}},"
"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#3\",\"pid\":1,\"tid\":2,\"ts\":100,\"dur\":1000,\"args\":{\"External id\":1}},"
"{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"train.py(3): step\",\"pid\":1,\"tid\":2,\"ts\":110,\"dur\":900,\"args\":{\"Python id\":1}},"
"{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"nn.Module: Linear_0\",\"pid\":1,\"tid\":2,\"ts\":120,\"dur\":500,\"args\":{}},"
"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::linear\",\"pid\":1,\"tid\":2,\"ts\":130,\"dur\":400,\"args\":{\"External id\":2,\"Sequence number\":7,\"Fwd thread id\":0,\"Input Dims\":[[2,3],[4,3],[4]],\"Input type\":[\"float\",\"float\",\"float\"],\"Concrete Inputs\":[\"\",\"\",\"\"],\"Module Hierarchy\":\"net.fc\"}},"
"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::addmm\",\"pid\":1,\"tid\":2,\"ts\":140,\"dur\":300,\"args\":{\"External id\":3,\"Sequence number\":7,\"Input Dims\":[[4],[2,3],[3,4]],\"Call stack\":\"a.py(1): f;b.py(2): <module>\"}},"
"{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":2,\"ts\":150,\"dur\":10,\"args\":{\"External id\":3,\"correlation\":11}},"
"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"_ZN2at6native4gemmEv\",\"pid\":0,\"tid\":7,\"ts\":170,\"dur\":80.5,\"args\":{\"External id\":3,\"correlation\":11,\"device\":0,\"stream\":7}},"
"{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD (Pageable -> Device)\",\"pid\":0,\"tid\":20,\"ts\":270,\"dur\":5,\"args\":{\"External id\":2,\"correlation\":12,\"device\":0,\"stream\":20}},"
"{\"ph\":\"X\",\"cat\":\"gpu_user_annotation\",\"name\":\"ProfilerStep#3\",\"pid\":0,\"tid\":7,\"ts\":170,\"dur\":105,\"args\":{\"External id\":1}},"
"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"nccl:all_reduce\",\"pid\":1,\"tid\":2,\"ts\":600,\"dur\":900,\"args\":{\"External id\":9}},"
"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add.Tensor\",\"pid\":1,\"tid\":2,\"ts\":620,\"dur\":30,\"args\":{\"Input Dims\":[[2,3],[]],\"Input type\":[\"float\",\"Scalar\"]}},"
"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"=\\u001b]52;c;\\u0007\\u0000 \\u009b \\u202e\\u2066 \\ud83d\\ude80 e\\u0301\",\"pid\":1,\"tid\":2,\"ts\":660,\"dur\":0.001,\"args\":{}},"
"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"\",\"pid\":1,\"tid\":2,\"ts\":670,\"dur\":1,\"args\":{}},"
"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"autograd::engine::evaluate_function: AddmmBackward0\",\"pid\":1,\"tid\":3,\"ts\":700,\"dur\":200,\"args\":{\"External id\":14,\"Sequence number\":7,\"Fwd thread id\":1}},"
"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"AddmmBackward0\",\"pid\":1,\"tid\":3,\"ts\":710,\"dur\":150,\"args\":{\"External id\":15,\"Sequence number\":7,\"Fwd thread id\":1}},"
"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#4\",\"pid\":1,\"tid\":2,\"ts\":1100,\"dur\":500,\"args\":{}},"
"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"Optimizer.step#SGD.step\",\"pid\":1,\"tid\":2,\"ts\":1200,\"dur\":-4,\"args\":{}},"
"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"enumerate(DataLoader)#_SingleProcess.__next__\",\"pid\":1,\"tid\":2,\"ts\":1250,\"dur\":40,\"args\":{}},"
"{\"ph\":\"X\",\"cat\":\"overhead\",\"name\":\"Buffer Flush\",\"pid\":-1,\"tid\":0,\"ts\":1300,\"dur\":60,\"args\":{}},"
"{\"ph\":\"s\",\"id\":5,\"pid\":1,\"tid\":2,\"ts\":140,\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\"},"
"{\"ph\":\"f\",\"id\":5,\"pid\":1,\"tid\":3,\"ts\":700,\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\",\"bp\":\"e\"},"
"{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":1,\"tid\":2,\"ts\":145,\"s\":\"t\",\"args\":{\"Bytes\":512,\"Device Type\":0}},"
"{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":1,\"tid\":2,\"ts\":155,\"s\":\"t\",\"args\":{\"Bytes\":-4096,\"Device Type\":1}},"
"{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":1,\"tid\":2,\"ts\":5000,\"s\":\"t\",\"args\":{\"Bytes\":64,\"Device Type\":0}},"
"{\"ph\":\"i\",\"name\":\"[OutOfMemory]\",\"pid\":1,\"tid\":2,\"ts\":1400,\"s\":\"t\",\"args\":{\"Bytes\":1048576,\"Device Type\":1}}"
"],\"traceName\":\"/tmp/\\u001btrace.json\"}";
/* clang-format on */

const size_t fuzz_sample_length = sizeof fuzz_sample - 1;
