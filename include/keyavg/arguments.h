/* The arguments of torch.profiler that record what a file may lack, as a program writes them. */
#ifndef KEYAVG_ARGUMENTS_H
#define KEYAVG_ARGUMENTS_H

#define ARGUMENT_SHAPES "record_shapes=True"
#define ARGUMENT_STACKS "with_stack=True"
#define ARGUMENT_MEMORY "profile_memory=True"
#define ARGUMENT_FLOPS "with_flops=True"
#define ARGUMENT_MODULES "with_modules=True"
#define ARGUMENT_CPU "ProfilerActivity.CPU in activities"
#define ARGUMENT_DEVICE "ProfilerActivity.CUDA (or XPU, ...) in activities"
#define ARGUMENT_OVERLOADS "experimental_config=_ExperimentalConfig(capture_overload_names=True)"
#define ARGUMENT_SYNC "experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True)"
#define ARGUMENT_STEPS "schedule=torch.profiler.schedule(...), and prof.step() after each step"
#define ARGUMENT_RANKS "torch.distributed.init_process_group() before the profiler starts"

#endif
