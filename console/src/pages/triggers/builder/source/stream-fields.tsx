import { Autocomplete, Text } from '@mantine/core'
import { useApiList } from '../../../../data/lists.ts'
import { useWorkspace } from '../../../../data/use-workspace.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import { type Builder, keptIn } from '../state/builder-state.ts'

/** A stream of the service's own: what another trigger tells, or how a trigger or a source fares. */
export function StreamFields({ builder }: { builder: Builder }) {
  const { state, dispatch } = builder
  const { backend, fullname } = state.definition
  const put = (part: Partial<typeof backend>) =>
    dispatch({ type: 'change', part: { backend: { ...backend, ...part } } })
  return (
    <>
      <Autocomplete
        label="Stream"
        description="The full name of a trigger, for its output. Add .events to the name of a trigger for its status changes, or to the name of a source for its errors and recoveries."
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
          The trigger listens to nothing until you name a stream.
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
      A trigger can also listen to other triggers and to sources. Choose Stream, then <code>{'<trigger>'}</code> for the
      output of a trigger, <code>{'<trigger>.events'}</code> or <code>{'<source>.events'}</code> for its health.
    </Text>
  )
}
