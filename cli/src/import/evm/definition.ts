import type { TriggerParts } from './triggers.ts'
import { providersFor } from './variables.ts'

/** The fields of a trigger that its parts decide. With several sources the trigger is bound to each. */
export function definitionOf({ spec, rawSource, conditions, activation }: TriggerParts, sources: readonly string[]) {
  const bindings = sources.map((dataSource) => ({ id: dataSource.split('.').at(-1), dataSource }))
  return {
    inputs: {},
    triggerSpec: { ...spec, dataSource: sources[0] },
    ...(sources.length > 1 && { sourceBindings: bindings }),
    providers: providersFor(rawSource, activation ?? ''),
    ...(conditions && { conditions }),
    ...(activation !== undefined && { activation: { language: 'javascript', source: activation } }),
    transform: { language: 'javascript', rawSource },
  }
}
