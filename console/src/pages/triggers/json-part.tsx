import { TriggerDraftSave } from '@tocsin/contract'
import { isObject } from '../../forms/json.ts'
import { JsonField } from '../../forms/json-field.tsx'
import type { Builder } from './builder-state.ts'
import { canonical, type Definition } from './definition.ts'

const names = ['name', 'fullname', 'project', 'workspace'] as const

/** The whole definition as JSON. It is the same definition: what is typed here shows in the other parts, and back. */
export function JsonPart({ builder: { state, dispatch } }: { builder: Builder }) {
  const { definition } = state
  return (
    <JsonField
      label="Definition"
      description="As the API takes it. Names cannot be changed."
      value={canonical(definition)}
      accepts={(value) => readDefinition(value, definition) !== undefined}
      refusal="This has not the form of a trigger: check that fields are of the right kind and names are unchanged."
      onChange={(value) => {
        const read = readDefinition(value, definition)
        if (read) dispatch({ type: 'replace', definition: read })
      }}
      minHeight={420}
    />
  )
}

/** What a draft may be is what the builder can hold; what was typed is kept as typed, not in its canonical form. */
function readDefinition(value: unknown, before: Definition): Definition | undefined {
  if (!isObject(value) || names.some((name) => value[name] !== before[name])) return undefined
  const draft = TriggerDraftSave.safeParse(value)
  if (!draft.success) return undefined
  const { status: _, ...definition } = draft.data
  return definition
}
