import { Autocomplete, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { issueAt } from '../../../../components/issue-list.tsx'
import { specOf } from '../../../../data/chains.ts'
import { useApiList } from '../../../../data/lists.ts'
import { useWorkspace } from '../../../../data/workspace.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { blankSpec, kindOf, specKinds, specType } from '../../model/spec-kinds.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { BindingFields } from './binding-fields.tsx'
import { SourceSelect } from './source-select.tsx'
import { SpecInputs } from './spec-inputs.tsx'

type TabProps = { builder: Builder; issues: Issue[] }

/** What the trigger listens to. */
export function SourceTab({ builder, issues }: TabProps) {
  const { state, dispatch } = builder
  const spec = state.definition.triggerSpec
  const type = specType(spec)
  const described = specOf(type)
  const kinds = specKinds()
  return (
    <Stack gap="md">
      <Select
        label="Listens to"
        data={kinds.map(({ value, label }) => ({ value, label }))}
        value={type}
        description={kinds.find(({ value }) => value === type)?.about}
        onChange={(next) => next !== null && next !== type && dispatch({ type: 'change', part: otherSpec(next, spec) })}
        allowDeselect={false}
      />
      {described && <OwnSource builder={builder} issues={issues} />}
      {described && (
        <SpecInputs
          key={type}
          inputs={described.spec.inputs}
          chain={described.chain}
          builder={builder}
          issues={issues}
        />
      )}
      {type === 'timer' && <TimerFields builder={builder} issues={issues} />}
      {described && <BindingFields builder={builder} issues={issues} />}
      {type === 'stream' ? <StreamFields builder={builder} /> : <StreamHint />}
    </Stack>
  )
}

/** The source of the trigger. With several sources it is one of them: the one that tests use. */
function OwnSource({ builder: { state, dispatch } }: TabProps) {
  const { triggerSpec, sourceBindings = [] } = state.definition
  const value = textOf(triggerSpec?.dataSource)
  const choose = (dataSource: string) => dispatch({ type: 'changeSpec', part: { dataSource } })
  if (sourceBindings.length === 0) return <SourceSelect kind={kindOf(triggerSpec)} value={value} onChange={choose} />
  const sources = [...new Set([...sourceBindings.map(({ dataSource }) => textOf(dataSource)), value])]
  return (
    <Select
      label="Source of tests"
      description="Tests and samples use this source. The trigger watches all sources below."
      data={sources.filter((source) => source !== '')}
      value={value || null}
      onChange={(source) => source !== null && choose(source)}
      allowDeselect={false}
    />
  )
}

/** A spec of another type. Sources of another kind of chain do not fit, so the bindings go with the old spec. */
function otherSpec(type: string, before: Fields | null) {
  const triggerSpec = blankSpec(type, before)
  return kindOf(triggerSpec) === kindOf(before) ? { triggerSpec } : { triggerSpec, sourceBindings: undefined }
}

/** A duration, or cron fields with their time zone. */
function TimerFields({ builder: { state, dispatch }, issues }: { builder: Builder; issues: Issue[] }) {
  const spec = state.definition.triggerSpec
  const interval = textOf(spec?.interval)
  const timezone = textOf(spec?.timezone)
  const isCron = interval.trim().includes(' ')
  return (
    <>
      <TextInput
        label="Interval"
        description="A duration from 10s to 30d, such as 5m or 1h30m, or five cron fields, such as 0 9 * * 1-5 (weekdays at 9:00)."
        value={interval}
        onChange={(event) => dispatch({ type: 'changeSpec', part: { interval: event.currentTarget.value } })}
        error={issueAt(issues, 'triggerSpec.interval')}
      />
      {(isCron || timezone !== '') && (
        <TextInput
          label="Time zone"
          description="The zone of the cron fields, such as Europe/Paris. Leave empty for UTC."
          placeholder="UTC"
          value={timezone}
          onChange={(event) =>
            dispatch({ type: 'changeSpec', part: { timezone: event.currentTarget.value || undefined } })
          }
          error={issueAt(issues, 'triggerSpec.timezone')}
          spellCheck={false}
        />
      )}
    </>
  )
}

/** A stream inside the service: the output of another trigger, or status events of a trigger or a source. */
function StreamFields({ builder }: { builder: Builder }) {
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
function StreamHint() {
  return (
    <Text size="sm" c="dimmed">
      A trigger can also listen to other triggers and to sources. Choose Stream, then <code>{'<trigger>'}</code> for the
      output of a trigger, or <code>{'<trigger>.events'}</code> and <code>{'<source>.events'}</code> for status events.
    </Text>
  )
}
