import { isObject } from '../../../forms/json.ts'
import { JsonField } from '../../../forms/json-field.tsx'
import { canonical, type Definition } from '../model/definition.ts'
import { readDefinition } from '../model/read-definition.ts'
import { type Builder, invalidTextIn } from './state/builder-state.ts'

const names = ['name', 'fullname', 'project', 'workspace'] as const

/** The path of this tab's invalid text. */
export const jsonPath = 'definition'

/** Edits the whole definition as JSON. Changes appear in the other tabs. */
export function JsonTab({ builder }: { builder: Builder }) {
  const { state, dispatch } = builder
  const { definition } = state
  return (
    <JsonField
      label="Definition"
      description="The JSON of the API. Names cannot be changed."
      value={canonical(definition)}
      accepts={(value) => readSameName(value, definition) !== undefined}
      refusal="Invalid definition: a field has the wrong type, or a name was changed."
      onChange={(value) => {
        const read = readSameName(value, definition)
        if (read) dispatch({ type: 'replace', definition: read })
      }}
      isRequired
      invalidText={invalidTextIn(builder, jsonPath, 'Definition (JSON tab)')}
      minHeight={420}
    />
  )
}

/** Undefined if the definition is invalid or has another name. */
function readSameName(value: unknown, before: Definition): Definition | undefined {
  if (!isObject(value) || names.some((name) => value[name] !== before[name])) return undefined
  return readDefinition(value)
}
