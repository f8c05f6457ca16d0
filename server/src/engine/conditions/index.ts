/** The conditions language: it compiles the conditions of subscriptions and triggers to functions that run on every match. */

export { OverBudget } from './budget.ts'
export { checkNumbers } from './check-numbers.ts'
export { textOf } from './comparison.ts'
export { compileEarlyFilter, type EarlyOptions } from './early-filter.ts'
export { type Fields, fieldsOfElement, fieldsOfOutcome } from './fields.ts'
export { fillLists, listNames, listsIn } from './lists.ts'
export {
  type ConditionOptions,
  compileConditions,
  type ItemDecimals,
  needsItemToken,
  type TokenDecimals,
  type Truth,
} from './predicate.ts'
export {
  type Requirement,
  type Requirements,
  readRequirements,
  readTriggerRequirements,
} from './requirements.ts'
export { sameKey } from './same-key.ts'
export {
  type ConditionPart,
  compileEarlyTriggerFilter,
  compileTriggerConditions,
  explainConditions,
  tokensIn,
} from './trigger-conditions.ts'
