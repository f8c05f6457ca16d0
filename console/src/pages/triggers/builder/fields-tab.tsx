import { Stack } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { isObject } from '../../../forms/json.ts'
import { SchemaFields } from '../../../forms/schema-editor/schema-fields.tsx'
import type { Fields } from '../model/definition.ts'
import { type Builder, keptIn } from './state/builder-state.ts'

type PartProps = { builder: Builder; issues: Issue[] }

/** What subscribers give, what they can filter by, and what they are told. */
export function FieldsTab({ builder, issues }: PartProps) {
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
        about="Values that each subscription gives, such as decimals or a limit. Scripts read them as inputs.name."
        value={inputs}
        onChange={(next) => dispatch({ type: 'change', part: { inputs: next } })}
        errorOf={errorIn('inputs')}
        kept={keptIn(builder, 'inputs', 'Inputs (Fields tab)')}
      />
      <SchemaFields
        label="Filters"
        about="What subscribers can filter by. A field with a path in the item is looked at before any provider or script runs."
        value={filtersSchema}
        onChange={(next) => dispatch({ type: 'change', part: { filtersSchema: next } })}
        hasSourcePath
        errorOf={errorIn('filtersSchema')}
        kept={keptIn(builder, 'filtersSchema', 'Filters (Fields tab)')}
      />
      <SchemaFields
        label="Raw output"
        about="What the transform returns: exact values, for machines and conditions."
        value={raw}
        onChange={(next) => putOutput({ raw: next })}
        errorOf={errorIn('outputSchema.raw')}
        kept={keptIn(builder, 'outputSchema.raw', 'Raw output (Fields tab)')}
      />
      <SchemaFields
        label="Display values"
        about="The same values for people, such as amounts in whole units. Leave empty to use the raw output."
        value={human}
        onChange={(next) => putOutput({ human: next })}
        errorOf={errorIn('outputSchema.human')}
        kept={keptIn(builder, 'outputSchema.human', 'Display values (Fields tab)')}
      />
    </Stack>
  )
}

/** `{raw, human?}` are two maps; without these keys it is the raw map itself. */
function splitOutput(schema: Fields): { raw: Fields; human: Fields } {
  const isSplit = isObject(schema.raw) && Object.keys(schema).every((key) => key === 'raw' || key === 'human')
  if (!isSplit || typeof schema.raw === 'string') return { raw: schema, human: {} }
  return { raw: isObject(schema.raw) ? schema.raw : {}, human: isObject(schema.human) ? schema.human : {} }
}

function joinOutput({ raw, human }: { raw: Fields; human: Fields }): Fields {
  return { raw, ...(Object.keys(human).length > 0 && { human }) }
}
