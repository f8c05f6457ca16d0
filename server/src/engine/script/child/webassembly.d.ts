/** The part of WebAssembly that we use. TypeScript declares WebAssembly only in its library for browsers. */
declare namespace WebAssembly {
  class Module {
    private readonly isModule
    constructor(bytes: Uint8Array<ArrayBuffer>)
  }
  class Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Global {
    value: number
  }
  type Imports = Record<string, Record<string, (...values: never[]) => number>>
  class Instance<Exports> {
    readonly exports: Exports
    constructor(module: Module, imports: Imports)
  }
}
