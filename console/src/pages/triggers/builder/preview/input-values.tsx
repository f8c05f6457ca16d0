import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { readJson } from '../../../../forms/json.ts'
import { readField } from '../../../../forms/schema-editor/schema-field.ts'
import type { Builder } from '../state/builder-state.ts'

/** The values of the trigger's inputs for the preview. Each subscription sets its own values. */
export function InputValues({ builder: { state, dispatch } }: { builder: Builder }) {
  const names = Object.keys(state.definition.inputs)
  if (names.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={550} mb={4}>
        Input values
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {names.map((name) => {
          const { type, optional, description } = readField(state.definition.inputs[name])
          return (
            <TextInput
              key={name}
              size="xs"
              label={name}
              title={description}
              placeholder={optional ? `${type}, optional` : type}
              value={shown(state.inputs[name])}
              onChange={(event) => dispatch({ type: 'input', name, value: typed(event.currentTarget.value, type) })}
            />
          )
        })}
      </SimpleGrid>
    </div>
  )
}

function shown(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Text types stay strings. For other types, valid JSON is parsed. */
function typed(text: string, type: string): unknown {
  if (text === '') return undefined
  if (['string', 'address', 'balance', 'enum'].includes(type)) return text
  const read = readJson(text)
  return read.ok ? read.value : text
}
