/** Search: entities of several nouns by name or title. */
export { search } from './read.ts'
