/** Templates: what the subscription wizard of a project offers. The oldest template is the root. */
export * from './delete.ts'
export * from './read.ts'
export * from './save.ts'
