/** A common interface as human-readable ABI. Views help to recognise it; nobody watches their calls. */
export type BundledInterface = { name: string; lines: readonly string[] }
