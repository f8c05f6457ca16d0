/** Custom sources: chains that a workspace follows through its own endpoints, and the list of all sources. */

export * from './history.ts'
export * from './read.ts'
export * from './read.ts'
export { listChains } from './read.ts'
export * from './runtime.ts'
export * from './runtime.ts'
export * from './runtime-sources.ts'
export * from './save.ts'
export { getCustomSourceCreateCapability, saveCustomSource } from './save.ts'
export * from './verify.ts'
