/** Templates: what the subscription wizard of a project offers; the oldest one is the root. */
export * from './delete.ts'
export * from './read.ts'
export * from './save.ts'
