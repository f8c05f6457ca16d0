import { TriggerDraftSave } from '@tocsin/contract'
import { isObject } from '../../../forms/json.ts'
import { JsonField } from '../../../forms/json-field.tsx'
import { canonical, type Definition } from '../model/definition.ts'
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
      accepts={(value) => readDefinition(value, definition) !== undefined}
      refusal="Invalid definition: a field has the wrong type, or a name was changed."
      onChange={(value) => {
        const read = readDefinition(value, definition)
        if (read) dispatch({ type: 'replace', definition: read })
      }}
      isRequired
      invalidText={invalidTextIn(builder, jsonPath, 'Definition (JSON tab)')}
      minHeight={420}
    />
  )
}

/** Parses a definition; undefined if it is invalid. */
function readDefinition(value: unknown, before: Definition): Definition | undefined {
  if (!isObject(value) || names.some((name) => value[name] !== before[name])) return undefined
  const draft = TriggerDraftSave.safeParse(value)
  if (!draft.success) return undefined
  const { status: _, ...definition } = draft.data
  return definition
}
