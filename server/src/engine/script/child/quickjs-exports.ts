/** The functions of the QuickJS module that we use. Values of the guest are pointers into its memory. */
export type QuickjsExports = {
  memory: WebAssembly.Memory
  __stack_pointer: WebAssembly.Global
  _initialize(): void
  qjs_init2(intrinsics: number): number
  qjs_set_memory_limit(bytes: number): void
  qjs_set_max_stack_size(bytes: number): void
  qjs_set_interrupt_handler(isOn: number): void
  qjs_set_gc_threshold(bytes: number): void
  qjs_eval(code: number, codeBytes: number, file: number, flags: number): number
  qjs_compile(code: number, codeBytes: number, file: number, flags: number, strip: number, lengthAt: number): number
  qjs_eval_bytecode(bytecode: number, bytes: number): number
  qjs_call(callee: number, self: number, count: number, values: number): number
  qjs_new_string(text: number, bytes: number): number
  qjs_new_number(value: number): number
  qjs_get_undefined(): number
  qjs_new_host_function(name: number, nameBytes: number, argumentsCount: number): number
  qjs_get_prop_string(object: number, name: number): number
  qjs_get_string_len(value: number, lengthAt: number): number
  qjs_is_string(value: number): number
  qjs_is_exception(value: number): number
  qjs_get_exception(): number
  qjs_is_job_pending(): number
  qjs_execute_pending_job(): number
  wasm_malloc(bytes: number): number
  wasm_free(at: number): void
}

/** What the host gives to the guest: a constant clock, the interrupt when its CPU time is used up, and a hash. */
export type GuestHost = { nowMs: number; isOverdue(): boolean }
/** The only function that the guest can call on the host, whatever its name. Takes and returns pointers to values. */
export type HostFunction = (name: number, nameBytes: number, self: number, count: number, values: number) => number

export function importsOf(
  host: GuestHost,
  memory: () => WebAssembly.Memory,
  hostFunction: HostFunction,
): WebAssembly.Imports {
  const returnZero = () => 0
  const notSupported = 52
  return {
    env: {
      host_interrupt: () => (host.isOverdue() ? 1 : 0),
      host_get_timezone_offset: returnZero,
      host_promise_rejection: returnZero,
      host_module_normalize: returnZero,
      host_module_load: returnZero,
      host_call: hostFunction,
    },
    wasi_snapshot_preview1: {
      clock_time_get: (_clock: number, _precision: bigint, at: number) => {
        new DataView(memory().buffer).setBigUint64(at, BigInt(host.nowMs) * 1_000_000n, true)
        return 0
      },
      random_get: (at: number, count: number) => {
        new Uint8Array(memory().buffer, at, count).fill(0)
        return 0
      },
      fd_write: () => notSupported,
      fd_close: () => notSupported,
      fd_fdstat_get: () => notSupported,
      fd_seek: () => notSupported,
    },
  }
}
