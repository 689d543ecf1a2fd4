#!/usr/bin/env python3
"""Prints trace.json of this folder: an invented training run on an invented GPU. usage: make.py > trace.json

A small simulation: two CPU threads spend time in nested frames and ops, launches put work on two streams of the device,
and a stream runs one thing after another. All numbers are fixed or come from a fixed pseudo-random sequence.
"""
import json
from contextlib import contextmanager

BASE_NS = 1790857026000000000  # baseTimeNanoseconds
START = 3187205514618417  # ns since then
PID, MAIN, ENGINE = 41873, 41873, 41926
NUM_SMS, MAX_THREADS, REGS, SMEM = 58, 1536, 65536, 102400
COPY, COMPUTE = 13, 7  # streams

DEVICE = {
    "id": 0, "name": "Kestrel K24 24GB", "totalGlobalMem": 25413550080, "computeMajor": 8, "computeMinor": 6,
    "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": MAX_THREADS, "regsPerBlock": REGS,
    "regsPerMultiprocessor": REGS, "warpSize": 32, "sharedMemPerBlock": 49152, "sharedMemPerMultiprocessor": SMEM,
    "numSms": NUM_SMS, "sharedMemPerBlockOptin": 101376,
}
CBID = {
    "cudaLaunchKernel": 211, "cuLaunchKernel": 307, "cudaMemcpyAsync": 41, "cudaMemsetAsync": 51, "cudaMalloc": 20,
    "cudaDeviceSynchronize": 165, "cudaGraphLaunch": 311, "cudaEventRecord": 135, "cudaStreamWaitEvent": 147,
}

# kernels: name, threads in a block, registers, shared memory
ANON = "at::native::(anonymous namespace)::"
ITER = "at::TensorIteratorBase&"
APPLY = f"void {ANON}multi_tensor_apply_kernel<{ANON}TensorListMetadata<"
CLAMP = (f"{ANON}launch_clamp_scalar({ITER}, c10::Scalar, c10::Scalar, at::native::detail::ClampLimits)"
         "::{lambda()#1}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}")
THRESHOLD = (f"{ANON}threshold_kernel_impl<float>({ITER}, float, float)::{{lambda(float, float)#1}}")
SUM = ("at::native::ReduceOp<float, at::native::func_wrapper_t<float, at::native::sum_functor<float, float, float>"
       "::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, float, 4, 4>")


def elementwise(functor, n):
    arrays = f"std::array<char*, {n}ul>"
    return f"void at::native::vectorized_elementwise_kernel<4, {functor}, {arrays} >(int, {functor}, {arrays})"


def apply(n, functor, op, tail):
    kinds = f"{ANON}TensorListMetadata<{n}>, {ANON}{functor}"
    return f"{APPLY}{n}>, {ANON}{functor}, {op}, float{tail}>({kinds}, {op}, float{tail})"


K = {
    "nhwc": ("void cudnn::engines_precompiled::nchwToNhwcKernel<float, float, float, false, true, "
             "(cudnnKernelDataType_t)2>(cudnn::engines_precompiled::nchw2nhwc_params_t<float>, float const*, float*)",
             256, 40, 8448),
    "conv": ("sm86_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x64x16_stage4_"
             "warpsize2x2x1_g1_tensor16x8x8_kernel_cudnn", 128, 210, 49152),
    "wgrad": ("sm86_xmma_wgrad_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize64x64x32_stage3_"
              "warpsize2x2x1_g1_tensor16x8x8_kernel_cudnn", 128, 168, 73728),
    "clamp": (elementwise(CLAMP, 2), 128, 24, 0),
    "threshold": (elementwise(THRESHOLD, 3), 128, 30, 0),
    "fill": (elementwise("at::native::FillFunctor<float>", 1), 128, 16, 0),
    "add": (elementwise("at::native::CUDAFunctor_add<float>", 3), 128, 32, 0),
    "sgemm_tn": ("ampere_sgemm_128x64_tn", 128, 122, 16384),
    "sgemm_nn": ("ampere_sgemm_128x128_nn", 256, 118, 16384),
    "sgemm_nt": ("ampere_sgemm_128x64_nt", 128, 126, 16384),
    "cutlass_tn": ("void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_16x6_tn_align4>"
                   "(cutlass_80_tensorop_s1688gemm_64x64_16x6_tn_align4::Params)", 128, 134, 49152),
    "cutlass_nn": ("void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align2>"
                   "(cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align2::Params)", 128, 138, 49152),
    "softmax": ("void (anonymous namespace)::softmax_warp_forward<float, float, float, 4, true, false>"
                "(float*, float const*, int, int, int, bool const*, int, bool)", 128, 34, 0),
    "softmax_back": ("void (anonymous namespace)::softmax_warp_backward<float, float, float, 4, true, false>"
                     "(float*, float const*, float const*, int, int, int, bool const*)", 128, 36, 0),
    "nll": (f"void {ANON}nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(float*, float*, float const*, "
            "long const*, float const*, bool, long, long, long, long)", 32, 28, 256),
    "nll_back": (f"void {ANON}nll_loss_backward_reduce_cuda_kernel_2d<float, long>(float*, float const*, long const*, "
                 "float const*, float const*, bool, int, int, long, long)", 32, 26, 0),
    "sum": (f"void at::native::reduce_kernel<128, 4, {SUM} >({SUM})", 512, 32, 16),
    "mul_list": (apply(1, "BinaryOpScalarFunctor<float, 1, 1, 0>", "std::multiplies<float>", ""), 512, 40, 0),
    "add_list": (apply(2, "BinaryOpListAlphaFunctor<float, 2, 2, 0>", "std::plus<float>", ", float"), 512, 42, 0),
    "lerp": ("triton_poi_fused_lerp_0", 128, 20, 0),
    "lerp_bias": ("triton_poi_fused_lerp_1", 64, 18, 0),
    "norm": ("triton_red_fused_linalg_vector_norm_2", 512, 32, 2048),
    "scale": ("triton_poi_fused_div_mul_3", 128, 16, 0),
}

events, memory, frames, device, overheads, annotations = [], [], [], [], [], []
state = {"random": 20240, "ext": 0, "corr": 1187, "seq": 37, "python": 0, "cpu": 1.0, "gpu": 1.0, "reserved": 182452224}
flows = {}  # sequence number: its forward op, then its backward op
streams = {COPY: START, COMPUTE: START}
opened = []  # annotations that are open, for their copies on the device


def jitter(us, spread=0.22):
    """us, changed a little, in ns."""
    state["random"] = (state["random"] * 1103515245 + 12345) % 2147483648
    return round(us * 1000 * (1 - spread / 2 + spread * state["random"] / 2147483648))


class Thread:
    def __init__(self, tid):
        self.tid, self.t, self.ops, self.frames = tid, START, [], []


main, engine = Thread(MAIN), Thread(ENGINE)
cpu = main  # the thread that is running


def work(us):
    late = 2.6 if state["random"] % 29 == 3 else 1  # now and then something takes longer
    cpu.t += jitter(us * state["cpu"] * late, 0.7)


# ---- inputs of an op -------------------------------------------------------------------------------------------------


def contiguous(shape):
    strides, n = [], 1
    for d in reversed(shape):
        strides.insert(0, n)
        n *= d
    return strides


class Tensor:
    def __init__(self, *shape, type="float", strides=None):
        self.shape, self.type = list(shape), type
        self.strides = contiguous(self.shape) if strides is None else strides

    def bytes(self):
        n = 8 if self.type == "long int" else 4
        for d in self.shape:
            n *= d
        return n

    def t(self):
        return Tensor(*self.shape[::-1], type=self.type, strides=self.strides[::-1])


def inputs(values):
    """Args of an op from its inputs: tensors, lists of tensors, None, or the text of a scalar or of a list of them."""
    concrete, types, strides, dims = [], [], [], []
    for v in values:
        listed = isinstance(v, list)
        is_tensor = isinstance(v, Tensor)
        concrete.append(v if isinstance(v, str) else "")
        if v is None:
            types.append("")
        elif listed:
            types.append("TensorList")
        else:
            types.append(v.type if is_tensor else "ScalarList" if v[0] == "[" else "Scalar")
        strides.append([x.strides for x in v] if listed else v.strides if is_tensor else [])
        dims.append([x.shape for x in v] if listed else v.shape if is_tensor else [])
    return {"Concrete Inputs": concrete, "Input type": types, "Input Strides": strides, "Input Dims": dims}


# ---- what a thread does ----------------------------------------------------------------------------------------------


def start(cat, name, args):
    e = {"cat": cat, "name": name, "tid": cpu.tid, "ts": cpu.t, "args": args}
    (frames if cat == "python_function" else events).append(e)
    return e


def next_id():
    state["ext"] += 1
    return state["ext"]


@contextmanager
def op(name, *values, seq=None, fwd=0, pre=7.0, post=3.2):
    """seq: number that links forward and backward; values: the inputs, () for none recorded."""
    args = {"External id": next_id()}
    if seq is not None and values:
        args.update({"Sequence number": seq, "Fwd thread id": fwd})
    args["Record function id"] = 0
    if seq is not None and not values:
        args.update({"Sequence number": seq, "Fwd thread id": fwd})
    if values:
        args.update(inputs(values))
    e = start("cpu_op", name, args)
    if seq is not None and (values or not fwd):
        flows.setdefault(seq, {})["f" if fwd else "s"] = e
    cpu.ops.append(e)
    work(pre)
    yield e
    work(post)
    cpu.ops.pop()
    e["end"] = cpu.t
    work(1.7)


def leaf(name, *values, us=5.0, **kw):
    with op(name, *values, pre=us, post=0.9, **kw):
        pass


@contextmanager
def annotation(name, pre=9.0, post=4.0):
    e = start("user_annotation", name, {"External id": next_id(), "Record function id": 0})
    e["streams"] = {}
    annotations.append(e)
    opened.append(e)
    work(pre)
    yield
    work(post)
    opened.pop()
    e["end"] = cpu.t
    work(2.4)


@contextmanager
def frame(name, line, module=None, pre=4.6, post=2.3):
    """A Python frame, called from `line`."""
    state["python"] += 1
    args = {"CallFrom": line}
    if cpu.frames:
        args["Python parent id"] = cpu.frames[-1]
    args["Python id"] = state["python"]
    if module is not None:
        args["Python module id"] = module
    e = start("python_function", name, args)
    cpu.frames.append(state["python"])
    work(pre)
    yield
    work(post)
    cpu.frames.pop()
    e["end"] = cpu.t
    work(0.8)


# ---- memory ----------------------------------------------------------------------------------------------------------

allocated = {0: 0, 1: 134283264}
heap = {0: 0x5581A42C0040, 1: 0x7F2E40000000}
holes = {}


def record(kind, size, addr):
    allocated[kind] += size
    memory.append({"tid": cpu.tid, "ts": cpu.t, "args": {
        "Total Reserved": state["reserved"] if kind else 0, "Total Allocated": allocated[kind], "Bytes": size,
        "Device Id": 0 if kind else -1, "Device Type": kind, "Addr": addr, "finished": False}})


def alloc(tensor, kind=1):
    size = -(-tensor.bytes() // (512 if kind else 64)) * (512 if kind else 64)
    free = holes.setdefault((kind, size), [])
    if free:
        addr = free.pop()
    else:
        addr = heap[kind]
        heap[kind] += size
    work(1.3)
    record(kind, size, addr)
    work(0.7)
    return kind, size, addr


def release(block):
    kind, size, addr = block
    holes[kind, size].append(addr)
    record(kind, -size, addr)
    work(1.1)


# ---- the device ------------------------------------------------------------------------------------------------------


def call(name, us, step=3):
    """A runtime or driver call, linked to the op around it; answers its event."""
    state["corr"] += step + state["corr"] % 3
    args = {}
    if cpu.ops:
        args["External id"] = cpu.ops[-1]["args"]["External id"]
    args.update({"cbid": CBID[name], "correlation": state["corr"]})
    e = {"cat": "cuda_driver" if name.startswith("cuL") else "cuda_runtime", "name": name, "tid": cpu.tid, "ts": cpu.t,
         "args": args, "device": []}
    work(us)
    e["end"] = cpu.t
    work(0.6)
    device.append(e)
    return e


def run(e, cat, name, us, stream, args, after=0, link=True):
    """Put work on a stream: it starts after its call and after what the stream has to do already."""
    begin = max(e["end"] + jitter(2.3), streams[stream] + jitter(1.1), after)
    end = begin + jitter(us * state["gpu"], 0.05)
    streams[stream] = end
    first = {"External id": e["args"]["External id"]} if link and "External id" in e["args"] else {}
    if cat == "kernel":
        first["queued"] = 0
    d = {"cat": cat, "name": name, "tid": stream, "ts": begin, "end": end, "args": {
        **first, "device": 0, "context": 1, "stream": stream, "correlation": e["args"]["correlation"], **args}}
    if "bytes" in args:
        d["args"]["memory bandwidth (GB/s)"] = args["bytes"] / (end - begin)
    e["device"].append(d)
    if e["tid"] == MAIN:
        for a in opened:
            a["streams"].setdefault(stream, [begin, end])[1] = end
    return d


def shape_args(kernel, grid):
    _, threads, regs, smem = K[kernel]
    per_sm = grid[0] * grid[1] * grid[2] / NUM_SMS
    active = min(16, MAX_THREADS // threads, REGS // (regs * threads), SMEM // (smem + 1024))
    return {"registers per thread": regs, "shared memory": smem, "blocks per SM": round(per_sm, 6),
            "warps per SM": round(per_sm * threads / 32, 6), "grid": list(grid), "block": [threads, 1, 1],
            "est. achieved occupancy %": round(100 * min(active, per_sm) * threads / MAX_THREADS)}


def launch(kernel, us, *grid, by="cudaLaunchKernel"):
    e = call(by, 9.4)
    return run(e, "kernel", K[kernel][0], us, COMPUTE, shape_args(kernel, (*grid, 1, 1)[:3]))


def memset(n):
    run(call("cudaMemsetAsync", 5.7), "gpu_memset", "Memset (Device)", 1.2 + n / 4e5, COMPUTE, {"bytes": n})


def upload(n):
    e = call("cudaMemcpyAsync", 11.8)
    return run(e, "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 0.9 + n / 25100, COPY, {"bytes": n})


def sync(e, kind, stream, begin, end, **args):
    e["device"].append({"cat": "cuda_sync", "name": kind, "tid": stream, "ts": begin, "end": end, "args": {
        "cuda_sync_kind": kind, **args, "stream": stream, "correlation": e["args"]["correlation"], "device": 0,
        "context": 1}})


# ---- the program -----------------------------------------------------------------------------------------------------

N = 192
DATA, LABELS = Tensor(2304, 3, 64, 64), Tensor(2304, type="long int")
PICK = Tensor(N, type="long int")
X, Y = Tensor(N, 3, 64, 64), Tensor(N, type="long int")
W0, W1, B1, W2 = Tensor(64, 3, 7, 7), Tensor(128, 65536), Tensor(128), Tensor(10, 128)
A0, A1, H1, OUT, LOSS = Tensor(N, 64, 32, 32), Tensor(N, 65536), Tensor(N, 128), Tensor(N, 10), Tensor()
PARAMS = [W0, W1, B1, W2]
TYPE = "type object at 0x7f31c5a7d1e0"
CONV = (None, "[2, 2]", "[3, 3]", "[1, 1]")


def number():
    state["seq"] += 1
    return state["seq"]


def load():
    with frame("torch/utils/data/dataloader.py(726): __next__", "train.py:50"):
        with annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"):
            with frame("torch/utils/data/_utils/fetch.py(46): fetch", "torch/utils/data/dataloader.py:786"):
                with frame("data.py(19): __getitems__", "torch/utils/data/_utils/fetch.py:50", pre=21.4):
                    with op("aten::index_select", DATA, "0", PICK, pre=12.2):
                        x = alloc(X, 0)
                        cpu.t += jitter(742.3 * state["cpu"])
                    with op("aten::index_select", LABELS, "0", PICK):
                        y = alloc(Y, 0)
                        work(3.9)
    return x, y


def upload_batch():
    """Copies on a side stream; the compute stream waits for them."""
    with frame("train.py(18): to_device", "train.py:32"):
        blocks, last = [], None
        for tensor, line in ((X, 20), (Y, 21)):
            with frame("<built-in method to of Tensor object at 0x7f2f9b36e7f0>", f"train.py:{line}", pre=2.1):
                with op("aten::to", tensor, "6", None, "cuda:0", None, "True", "False", None):
                    with op("aten::_to_copy", tensor, "6", None, "cuda:0", None, "True", None):
                        with op("aten::empty_strided", str(tensor.shape), str(tensor.strides), "6", "0", "cuda:0", None):
                            blocks.append(alloc(tensor))
                        with op("aten::copy_", tensor, tensor, "True"):
                            last = upload(tensor.bytes())
        with frame("torch/cuda/streams.py(78): wait_stream", "train.py:22"):
            mark = call("cudaEventRecord", 3.1)
            wait = call("cudaStreamWaitEvent", 2.6)
            sync(wait, "Stream Wait Event", COMPUTE, wait["ts"] + 412, wait["ts"] + 1383, wait_on_stream=COPY,
                 wait_on_cuda_event_record_corr_id=mark["args"]["correlation"], wait_on_cuda_event_id=2)
            streams[COMPUTE] = max(streams[COMPUTE], last["end"])
    return blocks


def clear_gradients(blocks):
    with frame("torch/optim/optimizer.py(1021): zero_grad", "train.py:33"):
        with annotation("Optimizer.zero_grad#SGD.zero_grad", pre=14.8):
            for b in blocks:
                release(b)
                work(2.2)


def convolution(first):
    seq = number()
    with frame("nn.Module: Conv2d_0", "model.py:25", 0), \
            frame("torch/nn/modules/conv.py(553): forward", "torch/nn/modules/module.py:1786"), \
            frame("torch/nn/modules/conv.py(536): _conv_forward", "torch/nn/modules/conv.py:554"), \
            frame(f"<built-in method conv2d of {TYPE}>", "torch/nn/modules/conv.py:548", pre=2.2), \
            op("aten::conv2d", X, W0, *CONV, "1", seq=seq), \
            op("aten::convolution", X, W0, *CONV, "False", "[0, 0]", "1", seq=seq), \
            op("aten::_convolution", X, W0, *CONV, "False", "[0, 0]", "1", "False", "False", "True", "True"), \
            op("aten::cudnn_convolution", X, W0, "[3, 3]", "[2, 2]", "[1, 1]", "1", "False", "False", "True"):
        if first:  # the library picks and loads its kernels
            begin = cpu.t + 20114
            cpu.t += jitter(341.5 * state["cpu"])
            overheads.append(("Lazy Function Loading", begin, cpu.t - 12837))
            state["reserved"] += 125829120
            call("cudaMalloc", 148.6)
        out = alloc(A0)
        memset(65536)
        launch("nhwc", 52.6, 1024, 3)
        work(16.2)
        launch("conv", 421.3, 1536, by="cuLaunchKernel")
    return seq, out


def relu():
    seq = number()
    with frame("nn.Module: ReLU_0", "model.py:25", 0), \
            frame("torch/nn/modules/activation.py(144): forward", "torch/nn/modules/module.py:1786"), \
            frame("torch/nn/functional.py(1693): relu", "torch/nn/modules/activation.py:148"), \
            frame(f"<built-in method relu of {TYPE}>", "torch/nn/functional.py:1706", pre=2.0), \
            op("aten::relu", A0, seq=seq), op("aten::clamp_min", A0, "0"):
        out = alloc(A0)
        launch("clamp", 206.4, 24576)
    return seq, out


def linear(index, line, x, weight, bias, out):
    t = number()
    seq = number()
    with frame(f"nn.Module: Linear_{index}", f"model.py:{line}", index), \
            frame("torch/nn/modules/linear.py(130): forward", "torch/nn/modules/module.py:1786"), \
            frame("<built-in function linear>", "torch/nn/modules/linear.py:134", pre=2.1), \
            op("aten::linear", x, weight, bias, seq=t):
        with op("aten::t", weight, seq=t, pre=3.6):
            leaf("aten::transpose", weight, "0", "1")
        if bias:
            with op("aten::addmm", bias, x, weight.t(), "1", "1", seq=seq, pre=13.0):
                block = alloc(out)
                launch("sgemm_tn", 263.9, 2, 3, 16)
        else:
            with op("aten::matmul", x, weight.t(), seq=seq), op("aten::mm", x, weight.t(), seq=seq, pre=11.0):
                block = alloc(out)
                launch("cutlass_tn", 6.3, 3, 1)
    return t, seq, block


def forward(first):
    with frame("nn.Module: Net_0", "train.py:34", 0), frame("model.py(24): forward", "torch/nn/modules/module.py:1786"):
        conv, a0 = convolution(first)
        act, a1 = relu()
        view = number()
        with frame("<built-in method view of Tensor object at 0x7f2f9b36ea40>", "model.py:26", pre=1.9):
            leaf("aten::view", A0, f"[{N}, 65536]", seq=view)
        t1, fc1, h = linear(0, 27, A1, W1, B1, H1)
        t2, fc2, o = linear(1, 28, H1, W2, None, OUT)
    return (conv, act, view, t1, fc1, t2, fc2), (a0, a1, h, o)


def loss():
    softmax, nll = number(), number()
    with frame("torch/nn/functional.py(3401): cross_entropy", "train.py:35"), \
            frame("<built-in function cross_entropy_loss>", "torch/nn/functional.py:3494", pre=2.3), \
            op("aten::cross_entropy_loss", OUT, Y, None, "1", "-100", "0.", seq=softmax):
        with op("aten::log_softmax", OUT, "1", None, seq=softmax), op("aten::_log_softmax", OUT, "1", "False", seq=softmax):
            a = alloc(OUT)
            launch("softmax", 3.2, 24)
        with op("aten::nll_loss_nd", OUT, Y, None, "1", "-100", seq=nll), \
                op("aten::nll_loss_forward", OUT, Y, None, "1", "-100", seq=nll):
            b, c = alloc(LOSS), alloc(LOSS)
            launch("nll", 4.1, 1)
    return (softmax, nll), (a, b, c)


@contextmanager
def backward_of(name, seq, *grads):
    with op(f"autograd::engine::evaluate_function: {name}", seq=seq, fwd=1, pre=4.1), op(name, *grads, seq=seq, fwd=1):
        yield


def accumulate(grad):
    with op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", pre=3.9):
        leaf("torch::autograd::AccumulateGrad", grad, us=7.6)


def mm(a, b, out, kernel, us, *grid):
    with op("aten::mm", a, b, pre=11.4):
        block = alloc(out)
        launch(kernel, us, *grid)
    return block


def engine_run(seqs, kept):
    """The backward pass; gradients of parameters stay, the rest is given back."""
    conv, act, view, t1, fc1, t2, fc2, softmax, nll = seqs
    a0, a1, h, out, logp = kept[:5]
    with backward_of("NllLossBackward0", nll, LOSS):
        with op("aten::nll_loss_backward", LOSS, OUT, Y, None, "1", "-100", LOSS):
            g = alloc(OUT)
            with op("aten::zero_", OUT, pre=3.8), op("aten::fill_", OUT, "0", pre=3.9):
                launch("fill", 1.6, 2)
            launch("nll_back", 3.4, 1)
    with backward_of("LogSoftmaxBackward0", softmax, OUT):
        with op("aten::_log_softmax_backward_data", OUT, OUT, "1", "6"):
            g2 = alloc(OUT)
            launch("softmax_back", 3.7, 24)
        release(g)
        release(logp)
    with backward_of("MmBackward0", fc2, OUT):
        d2 = mm(H1.t(), OUT, W2.t(), "cutlass_nn", 7.1, 2, 1)
        gh = mm(OUT, W2, H1, "cutlass_nn", 5.9, 2, 3)
        release(g2)
        release(h)
    with backward_of("TBackward0", t2, W2.t()):
        leaf("aten::t", W2.t())
    accumulate(W2)
    with backward_of("AddmmBackward0", fc1, H1):
        gx = mm(H1, W1, A1, "sgemm_nn", 274.8, 512, 2)
        d1 = mm(A1.t(), H1, W1.t(), "sgemm_nt", 291.3, 512, 2)
        with op("aten::sum", H1, "[0]", "True", None, pre=14.2):
            db = alloc(B1)
            launch("sum", 6.8, 1, 4)
        release(gh)
    accumulate(B1)
    with backward_of("TBackward0", t1, W1.t()):
        leaf("aten::t", W1.t())
    accumulate(W1)
    with backward_of("ViewBackward0", view, A1):
        leaf("aten::view", A1, f"[{N}, 64, 32, 32]")
    with backward_of("ReluBackward0", act, A0):
        with op("aten::threshold_backward", A0, A0, "0"):
            ga = alloc(A0)
            launch("threshold", 317.6, 24576)
        release(gx)
        release(a1)
    with backward_of("ConvolutionBackward0", conv, A0):
        with op("aten::convolution_backward", A0, X, W0, "[0]", "[2, 2]", "[3, 3]", "[1, 1]", "False", "[0, 0]", "1", None):
            d0 = alloc(W0)
            memset(W0.bytes())
            work(18.6)
            launch("wgrad", 398.2, 3, 49, by="cuLaunchKernel")
        release(ga)
        release(a0)
    accumulate(W0)
    release(out)
    return [d0, d1, db, d2]


def backward(seqs, kept, lose):
    global cpu
    with frame("torch/_tensor.py(616): backward", "train.py:36"), \
            frame("torch/autograd/__init__.py(302): backward", "torch/_tensor.py:660"):
        with frame("torch/autograd/__init__.py(91): _make_grads", "torch/autograd/__init__.py:388"), \
                op("aten::ones_like", LOSS, None, None, None, "False", "1"):
            with op("aten::empty_like", LOSS, None, None, None, "False", "1", pre=4.2):
                one = alloc(LOSS)
            with op("aten::fill_", LOSS, "1", pre=4.0):
                if lose:  # a launch whose kernel is missing from the file
                    call("cudaLaunchKernel", 8.8)
                else:
                    launch("fill", 1.5, 1)
        with frame("torch/autograd/graph.py(859): _engine_run_backward", "torch/autograd/__init__.py:395"), \
                frame("<built-in method run_backward of torch._C._EngineBase object at 0x7f31d03f0b20>",
                      "torch/autograd/graph.py:872", pre=13.7):
            engine.t, cpu = main.t + 26418, engine
            gradients = engine_run(seqs, kept)
            main.t, cpu = engine.t + 14873, main
        release(one)
    return gradients


def total(value):
    with frame("<built-in method detach of Tensor object at 0x7f2f9b36ec90>", "train.py:37", pre=1.7):
        leaf("aten::detach", LOSS)
    with frame("<built-in method add_ of Tensor object at 0x7f2f9b36e110>", "train.py:37", pre=1.9), \
            op("aten::add_", LOSS, LOSS, "1", pre=8.1):
        launch("add", 1.8, 1)
    for b in value:
        release(b)


def optimizer():
    with frame("torch/optim/optimizer.py(500): wrapper", "train.py:38"), \
            annotation("Optimizer.step#SGD.step", pre=22.5), \
            frame("torch/optim/sgd.py(110): step", "torch/optim/optimizer.py:526", pre=31.6), \
            frame("torch/optim/sgd.py(369): _multi_tensor_sgd", "torch/optim/sgd.py:285", pre=38.9):
        for name, us, values, kernel in (
                ("aten::_foreach_mul_", 142.7, (PARAMS, "0.90000000000000002"), "mul_list"),
                ("aten::_foreach_add_", 213.5, (PARAMS, PARAMS, "1"), "add_list"),
                ("aten::_foreach_add_", 214.9, (PARAMS, PARAMS, "-0.050000000000000003"), "add_list")):
            with op(name, *values, pre=16.8):
                launch(kernel, us, 129)


def average():
    """Replays a recorded graph: one launch, four kernels that belong to no op."""
    with frame("train.py(25): update_average", "train.py:51"), \
            frame("torch/cuda/graphs.py(143): replay", "train.py:26"), \
            frame("<built-in method replay of torch._C._CUDAGraph object at 0x7f2f9b3718f0>",
                  "torch/cuda/graphs.py:145", pre=3.0):
        e = call("cudaGraphLaunch", 34.7, 9)
        for i, (kernel, us, grid) in enumerate((("lerp", 61.2, 8192), ("lerp_bias", 1.9, 2), ("norm", 17.4, 64),
                                                ("scale", 5.6, 64))):
            d = run(e, "kernel", K[kernel][0], us, COMPUTE, {
                **shape_args(kernel, (grid, 1, 1)), "graph id": 3, "graph node id": 12884901889 + i}, link=False)
            if i < 2:  # files have it both ways
                d["args"] = {"External id": 0, **d["args"]}


def step(first, gradients):
    with annotation(f"ProfilerStep#{1 if first else 2}", pre=17.3):
        batch = load()
        with frame("train.py(31): train_step", "train.py:50", pre=11.2):
            blocks = upload_batch()
            clear_gradients(gradients)
            seqs, kept = forward(first)
            more, tail = loss()
            gradients = backward(seqs + more, kept + tail, not first)
            total(tail[1:])
            optimizer()
            for b in blocks:
                release(b)
        for b in batch:
            release(b)
        if not first:
            average()
    return gradients


def program():
    main.t += 18613
    record(0, -1536, 0x5581A3F01140)  # before any frame: covered by nothing
    # a kernel that was launched before the window
    device.append({"device": [{"cat": "kernel", "name": K["fill"][0], "tid": COMPUTE, "ts": START + 27208,
                               "end": START + 41544, "args": {
                                   "queued": 0, "device": 0, "context": 1, "stream": COMPUTE, "correlation": 1179,
                                   **shape_args("fill", (16384, 1, 1))}}]})
    streams[COMPUTE] = START + 41544
    main.t += 9402
    overheads.append(("Activity Buffer Request", START + 58314, START + 131065))
    with frame("train.py(60): <module>", "train.py:60", pre=1.9), frame("train.py(44): main", "train.py:61", pre=33.8):
        state["cpu"], state["gpu"] = 1.79, 1.08
        gradients = step(True, [])
        work(6.1)
        state["cpu"], state["gpu"] = 1.42, 1.0
        step(False, gradients)
        with frame("torch/profiler/profiler.py(889): __exit__", "train.py:53"), \
                frame("torch/cuda/__init__.py(1078): synchronize", "torch/profiler/profiler.py:197"), \
                frame("<built-in function _cuda_synchronize>", "torch/cuda/__init__.py:1084", pre=2.4):
            e = call("cudaDeviceSynchronize", 4.0)
            done = max(streams.values())
            sync(e, "Context Sync", -1, e["ts"] + 937, done + 1648)
            cpu.t = e["end"] = done + 3411


# ---- the file --------------------------------------------------------------------------------------------------------


def us(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


def block(ph, fields, args=None):
    lines = [f'"ph": "{ph}"'] + [f'"{k}": {v}' for k, v in fields]
    text = "  {\n    " + ",\n    ".join(lines)
    if args is not None:
        inner = ", ".join(f'"{k}": {json.dumps(v)}' for k, v in args.items())
        text += ',\n    "args": {\n      ' + inner + "\n    }"
    return text + "\n  }"


def span(e, pid, args=True):
    fields = [("cat", f'"{e["cat"]}"'), ("name", json.dumps(e["name"])), ("pid", pid), ("tid", e["tid"]),
              ("ts", us(e["ts"])), ("dur", us(e["end"] - e["ts"]))]
    return block("X", fields, e["args"] if args else None)


def flow(ph, number, pid, e, kind):
    fields = [("id", number), ("pid", pid), ("tid", e["tid"]), ("ts", us(e["ts"])), ("cat", f'"{kind}"'),
              ("name", f'"{kind}"')]
    return block(ph, fields + ([("bp", '"e"')] if ph == "f" else []))


def meta(name, pid, tid, args):
    return block("M", [("name", f'"{name}"'), ("ts", us(START)), ("pid", pid), ("tid", tid)], args)


def lines():
    for pid, label, order in ((PID, "CPU", PID), (0, "GPU 0", 5000000)):
        yield meta("process_name", pid, 0, {"name": "python"})
        yield meta("process_labels", pid, 0, {"labels": label})
        yield meta("process_sort_index", pid, 0, {"sort_index": order})
    for pid, tid, name in ((PID, MAIN, f"thread {MAIN} (python)"), (PID, ENGINE, f"thread {ENGINE} (pt_autograd_0)"),
                           (0, COMPUTE, f"stream {COMPUTE} "), (0, COPY, f"stream {COPY} "), (0, -1, "Device 0")):
        yield meta("thread_name", pid, tid, {"name": name})
        yield meta("thread_sort_index", pid, tid, {"sort_index": tid})
    index = 0
    arrows = {}
    ends = sorted((f["f"]["ts"], s) for s, f in flows.items() if len(f) == 2)
    for i, (_, seq) in enumerate(ends):
        for ph, e in flows[seq].items():
            arrows[id(e)] = (ph, i + 1, e)
    for e in events:
        e["args"]["Ev Idx"] = index
        index += 1
        yield span(e, PID)
        if id(e) in arrows:
            ph, i, _ = arrows[id(e)]
            yield flow(ph, i, PID, e, "fwdbwd")
    for m in memory:
        m["args"]["Ev Idx"] = index
        index += 1
        yield block("i", [("cat", '"cpu_instant_event"'), ("s", '"t"'), ("name", '"[memory]"'), ("pid", PID),
                          ("tid", m["tid"]), ("ts", us(m["ts"]))], m["args"])
    for e in frames:
        e["args"]["Ev Idx"] = index
        index += 1
        yield span(e, PID)
    for name, begin, end in overheads:
        yield span({"cat": "overhead", "name": name, "tid": 0, "ts": begin, "end": end}, -1, False)
    for e in device:
        for d in e["device"]:
            yield span(d, 0)
            if "cat" in e:
                yield flow("f", d["args"]["correlation"], 0, d, "ac2g")
        if "cat" in e:
            yield span(e, PID)
            no_arrow = e["name"] in ("cudaMalloc", "cudaEventRecord")
            yield flow("f" if no_arrow else "s", e["args"]["correlation"], PID, e, "ac2g")
    for a in annotations:
        for stream, (begin, end) in a["streams"].items():
            copy = {"cat": "gpu_user_annotation", "name": a["name"], "tid": stream, "ts": begin - 1, "end": end + 1,
                    "args": {"External id": a["args"]["External id"]}}
            yield span(copy, 0)
    last = max(e["end"] for e in frames)
    yield block("X", [("cat", '"Trace"'), ("name", '"PyTorch Profiler (0)"'), ("pid", '"Spans"'),
                      ("tid", '"PyTorch Profiler"'), ("ts", us(START)), ("dur", us(last - START + 21507))], {"Op count": 0})
    yield meta("process_sort_index", '"Spans"', 0, {"sort_index": 536870912})
    for name, pid, tid, ts in (("Iteration Start: PyTorch Profiler", "Traces", "Trace PyTorch Profiler", START),
                               ("Record Window End", "", "", last + 1894362)):
        yield block("i", [("s", '"g"'), ("name", f'"{name}"'), ("pid", f'"{pid}"'), ("tid", f'"{tid}"'), ("ts", us(ts))])


HEADER = {
    "schemaVersion": 1, "deviceProperties": [DEVICE], "cupti_version": 28, "cuda_runtime_version": 13000,
    "cuda_driver_version": 13000,
    "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 2, "pg_count": 1, "pg_config": [
        {"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": 2, "ranks": [0, 1]}],
        "nccl_version": "2.27.7"},
    "trace_id": "7C1E5B0A93D84F6E8A2B4D9F60C3E718", "with_stack": 1, "profile_memory": 1, "record_shapes": 1,
    "with_modules": 1, "with_flops": 1, "host_name": "trainer-0", "displayTimeUnit": "ms",
    "baseTimeNanoseconds": BASE_NS,
}

program()
print("{")
for key, value in HEADER.items():
    print(f'  "{key}": {json.dumps(value)},')
print('  "traceEvents": [\n' + ",\n".join(lines()) + '\n  ],\n  "traceName": "trace.json"\n}')
