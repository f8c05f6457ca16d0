import { Autocomplete, Text } from '@mantine/core'
import { useApiList } from '../../data/lists.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { JsonField } from '../../forms/json-field.tsx'
import { type Builder, keptIn } from './builder-state.ts'

/** A stream of the service's own: what another trigger tells, or how a trigger or a source fares. */
export function StreamPart({ builder }: { builder: Builder }) {
  const { state, dispatch } = builder
  const { backend, fullname } = state.definition
  const put = (part: Partial<typeof backend>) =>
    dispatch({ type: 'change', part: { backend: { ...backend, ...part } } })
  return (
    <>
      <Autocomplete
        label="Stream"
        description="A trigger's full name for what it tells; followed by .events for changes of its status. A source's full name followed by .events for its errors and recoveries."
        placeholder="acme.dex.swap or acme.devnet.events"
        data={useStreams(fullname)}
        limit={30}
        value={backend.trigger ?? ''}
        onChange={(stream) => put({ trigger: stream || undefined })}
        spellCheck={false}
      />
      <JsonField
        label="Values"
        description="Only items that have these values. Leave it empty to take all."
        value={backend.values}
        onChange={(values) => put({ values })}
        kept={keptIn(builder, 'backend.values', 'Values (Source tab)')}
      />
      {!backend.trigger && (
        <Text size="sm" c="dimmed">
          Without a stream the trigger listens to nothing.
        </Text>
      )}
    </>
  )
}

/** Streams of the workspace; others can be typed in. */
function useStreams(own: string): string[] {
  const { fullname: workspace } = useWorkspace()
  const triggers = useApiList('listTriggers', { query: { workspace } })
  const custom = useApiList('listCustomSources', { query: { workspace } })
  const runtime = useApiList('listRuntimeSources')
  const others = triggers.items.map(({ fullname }) => fullname).filter((fullname) => fullname !== own)
  const sources = [...custom.items, ...runtime.items].map(({ fullname }) => `${fullname}.events`)
  return [...new Set([...others.flatMap((fullname) => [fullname, `${fullname}.events`]), ...sources])]
}

/** For whoever looks for them among the chains. */
export function StreamHint() {
  return (
    <Text size="sm" c="dimmed">
      Triggers and sources can be listened to as well: choose Stream, then <code>{'<trigger>'}</code> for what a trigger
      tells, <code>{'<trigger>.events'}</code> or <code>{'<source>.events'}</code> for how it fares.
    </Text>
  )
}
