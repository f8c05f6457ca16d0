import type { Item } from '../../data/api.ts'
import type { Definition } from './definition.ts'
import { kindOf, sourceOf } from './spec-kinds.ts'

/** Starting points name a public network; where this service does not follow it, a source of the same kind that runs. */
export function withReadySource(definition: Definition, sources: Item<'listRuntimeSources'>[]): Definition {
  const { triggerSpec } = definition
  const named = sourceOf(triggerSpec)
  if (named === undefined || sources.some(({ fullname }) => fullname === named)) return definition
  const ofKind = sources.filter(({ kind }) => kind === kindOf(triggerSpec))
  const ready = ofKind.find(({ status }) => status === 'running') ?? ofKind[0]
  return ready ? { ...definition, triggerSpec: { ...triggerSpec, dataSource: ready.fullname } } : definition
}
