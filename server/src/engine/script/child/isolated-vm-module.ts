/** The little of the package `isolated-vm` that we use: it is not a dependency, so its own types need not be there. */
export type IsolatedVm = { Isolate: new (options: { memoryLimit: number }) => Isolate }

export type Isolate = {
  /** By us, or because its memory was used up. */
  readonly isDisposed: boolean
  compileScriptSync(code: string, options: { filename: string }): CompiledScript
  createContextSync(): Context
  dispose(): void
}

type CompiledScript = { runSync(context: Context, options: AsReference & { timeout: number }): Reference }

type Context = object

/** A value of the isolate. */
type Reference = {
  applySync(self: undefined, values: unknown[], options: { timeout: number; result: AsReference }): Reference
  applySync(self: undefined, values: unknown[], options: { timeout: number }): unknown
  derefInto(): object
}

type AsReference = { reference: true }
