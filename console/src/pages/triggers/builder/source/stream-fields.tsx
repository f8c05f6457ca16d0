import { Autocomplete, Text } from '@mantine/core'
import { useApiList } from '../../../../data/lists.ts'
import { useWorkspace } from '../../../../data/use-workspace.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'

/** A stream inside the service: the output of another trigger, or status events of a trigger or a source. */
export function StreamFields({ builder }: { builder: Builder }) {
  const { state, dispatch } = builder
  const { backend, fullname } = state.definition
  const put = (part: Partial<typeof backend>) =>
    dispatch({ type: 'change', part: { backend: { ...backend, ...part } } })
  return (
    <>
      <Autocomplete
        label="Stream"
        description="The full name of a trigger, for its output. Append .events to the name of a trigger or a source for its status events."
        placeholder="acme.dex.swap or acme.devnet.events"
        data={useStreams(fullname)}
        limit={30}
        value={backend.trigger ?? ''}
        onChange={(stream) => put({ trigger: stream || undefined })}
        spellCheck={false}
      />
      <JsonField
        label="Values"
        description="Only items with these values match. Leave empty to match all items."
        value={backend.values}
        onChange={(values) => put({ values })}
        invalidText={invalidTextIn(builder, 'backend.values', 'Values (Source tab)')}
      />
      {!backend.trigger && (
        <Text size="sm" c="dimmed">
          Enter a stream. Without it, the trigger receives no items.
        </Text>
      )}
    </>
  )
}

/** Suggests the streams of the workspace. The user can type others. */
function useStreams(own: string): string[] {
  const { fullname: workspace } = useWorkspace()
  const triggers = useApiList('listTriggers', { query: { workspace } })
  const custom = useApiList('listCustomSources', { query: { workspace } })
  const runtime = useApiList('listRuntimeSources', {})
  const others = triggers.items.map(({ fullname }) => fullname).filter((fullname) => fullname !== own)
  const sources = [...custom.items, ...runtime.items].map(({ fullname }) => `${fullname}.events`)
  return [...new Set([...others.flatMap((fullname) => [fullname, `${fullname}.events`]), ...sources])]
}

/** Explains streams to users who look for them among the chains. */
export function StreamHint() {
  return (
    <Text size="sm" c="dimmed">
      A trigger can also listen to other triggers and to sources. Choose Stream, then <code>{'<trigger>'}</code> for the
      output of a trigger, or <code>{'<trigger>.events'}</code> and <code>{'<source>.events'}</code> for status events.
    </Text>
  )
}
