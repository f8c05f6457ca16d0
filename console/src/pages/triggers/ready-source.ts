import type { Item } from '../../data/api.ts'
import type { Definition } from './definition.ts'
import { kindOf, sourceOf } from './spec-kinds.ts'

/** Starting points name a public network; where this service does not follow it, a source of the same kind that runs. */
export function withReadySource(definition: Definition, sources: Item<'listRuntimeSources'>[]): Definition {
  const { triggerSpec } = definition
  const ofKind = sources.filter(({ kind }) => kind === kindOf(triggerSpec))
  const isRunning = ({ status }: { status: string }) => status === 'running'
  const named = ofKind.find(({ fullname }) => fullname === sourceOf(triggerSpec))
  const ready = ofKind.find(isRunning)
  if (!ready || (named && isRunning(named))) return definition
  return { ...definition, triggerSpec: { ...triggerSpec, dataSource: ready.fullname } }
}
