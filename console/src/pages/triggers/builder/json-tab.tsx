import { TriggerDraftSave } from '@tocsin/contract'
import { isObject } from '../../../forms/json.ts'
import { JsonField } from '../../../forms/json-field.tsx'
import { canonical, type Definition } from '../model/definition.ts'
import { type Builder, keptIn } from './state/builder-state.ts'

const names = ['name', 'fullname', 'project', 'workspace'] as const

/** The unread text of this tab; the definition itself has no path. */
export const jsonPath = 'definition'

/** The whole definition as JSON. It is the same definition: what is typed here shows in the other parts, and back. */
export function JsonTab({ builder }: { builder: Builder }) {
  const { state, dispatch } = builder
  const { definition } = state
  return (
    <JsonField
      label="Definition"
      description="As the API takes it. Names cannot be changed."
      value={canonical(definition)}
      accepts={(value) => readDefinition(value, definition) !== undefined}
      refusal="This is not a trigger: a field has the wrong type, or a name was changed."
      onChange={(value) => {
        const read = readDefinition(value, definition)
        if (read) dispatch({ type: 'replace', definition: read })
      }}
      isRequired
      kept={keptIn(builder, jsonPath, 'Definition (JSON tab)')}
      minHeight={420}
    />
  )
}

/** A draft is what the builder can hold; it is kept as typed, not in its canonical form. */
function readDefinition(value: unknown, before: Definition): Definition | undefined {
  if (!isObject(value) || names.some((name) => value[name] !== before[name])) return undefined
  const draft = TriggerDraftSave.safeParse(value)
  if (!draft.success) return undefined
  const { status: _, ...definition } = draft.data
  return definition
}
