/** The conditions language: it compiles the conditions of a subscription to functions that run on every match. */

export { checkNumbers } from './check-numbers.ts'
export { compileEarlyFilter, type EarlyOptions } from './early-filter.ts'
export { type ConditionOptions, compileConditions } from './predicate.ts'
export { type Requirement, type Requirements, readRequirements } from './requirements.ts'
export { sameKey } from './same-key.ts'
