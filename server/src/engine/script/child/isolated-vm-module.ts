/** The part of the package `isolated-vm` that we use. The package is optional, so its own types may be absent. */
export type IsolatedVm = { Isolate: new (options: { memoryLimit: number }) => Isolate }

export type Isolate = {
  /** True after `dispose`, and after the isolate used up its memory. */
  readonly isDisposed: boolean
  compileScriptSync(code: string, options: { filename: string }): CompiledScript
  createContextSync(): Context
  dispose(): void
}

type CompiledScript = { runSync(context: Context, options: AsReference & { timeout: number }): Reference }

type Context = object

/** A reference to a value inside the isolate. */
type Reference = {
  applySync(self: undefined, values: unknown[], options: { timeout: number; result: AsReference }): Reference
  applySync(self: undefined, values: unknown[], options: { timeout: number }): unknown
  derefInto(): object
}

type AsReference = { reference: true }
