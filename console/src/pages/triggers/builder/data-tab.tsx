import { Stack } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { Part } from '../../../components/patterns/part.tsx'
import { isObject } from '../../../forms/json.ts'
import { SchemaFields } from '../../../forms/schema-editor/schema-fields.tsx'
import type { Fields } from '../model/definition.ts'
import { ProvidersTab } from './providers/providers-tab.tsx'
import { type Builder, invalidTextIn } from './state/builder-state.ts'
import { TransformScripts } from './transform-scripts.tsx'

type DataTabProps = { builder: Builder; issues: Issue[]; raw: unknown }

/** What an alert knows: data that providers fetch, the scripts that make the output, and the fields that others see. */
export function DataTab(props: DataTabProps) {
  return (
    <Stack gap="xl">
      <Part isLarge title="Providers">
        <ProvidersTab {...props} />
      </Part>
      <Part isLarge title="Output">
        <TransformScripts {...props} />
      </Part>
      <Part isLarge title="Fields">
        <FieldsTab {...props} />
      </Part>
    </Stack>
  )
}

type TabProps = { builder: Builder; issues: Issue[] }

/** Inputs, filters and output of the trigger. */
function FieldsTab({ builder, issues }: TabProps) {
  const { state, dispatch } = builder
  const { inputs, filtersSchema = {}, outputSchema = {} } = state.definition
  const { raw, human } = splitOutput(outputSchema)
  const putOutput = (part: { raw?: Fields; human?: Fields }) =>
    dispatch({ type: 'change', part: { outputSchema: joinOutput({ raw, human, ...part }) } })
  const errorIn = (path: string) => (name: string) =>
    issues.find((issue) => issue.path === `${path}.${name}` || issue.path.startsWith(`${path}.${name}.`))?.message
  return (
    <Stack gap="xl">
      <SchemaFields
        label="Inputs"
        about="Values that each subscription sets, such as a limit. Scripts read them as inputs.name."
        value={inputs}
        onChange={(next) => dispatch({ type: 'change', part: { inputs: next } })}
        errorOf={errorIn('inputs')}
        invalidText={invalidTextIn(builder, 'inputs', 'Inputs (Data tab)')}
      />
      <SchemaFields
        label="Filters"
        about="Fields that subscribers can filter by. A filter on a field with a path is checked before providers and scripts run."
        value={filtersSchema}
        onChange={(next) => dispatch({ type: 'change', part: { filtersSchema: next } })}
        hasSourcePath
        errorOf={errorIn('filtersSchema')}
        invalidText={invalidTextIn(builder, 'filtersSchema', 'Filters (Data tab)')}
      />
      <SchemaFields
        label="Raw output"
        about="The values that the transform returns, for conditions and receivers."
        value={raw}
        onChange={(next) => putOutput({ raw: next })}
        errorOf={errorIn('outputSchema.raw')}
        invalidText={invalidTextIn(builder, 'outputSchema.raw', 'Raw output (Data tab)')}
      />
      <SchemaFields
        label="Display values"
        about="The values in readable form, such as amounts in whole units. Leave empty to use the raw output."
        value={human}
        onChange={(next) => putOutput({ human: next })}
        errorOf={errorIn('outputSchema.human')}
        invalidText={invalidTextIn(builder, 'outputSchema.human', 'Display values (Data tab)')}
      />
    </Stack>
  )
}

/** A schema `{raw, human?}` holds two maps. Any other schema is the raw map. */
function splitOutput(schema: Fields): { raw: Fields; human: Fields } {
  const isSplit = isObject(schema.raw) && Object.keys(schema).every((key) => key === 'raw' || key === 'human')
  if (!isSplit || typeof schema.raw === 'string') return { raw: schema, human: {} }
  return { raw: isObject(schema.raw) ? schema.raw : {}, human: isObject(schema.human) ? schema.human : {} }
}

function joinOutput({ raw, human }: { raw: Fields; human: Fields }): Fields {
  return { raw, ...(Object.keys(human).length > 0 && { human }) }
}
