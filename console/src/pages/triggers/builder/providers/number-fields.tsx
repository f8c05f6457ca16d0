import { NumberInput } from '@mantine/core'
import type { Fields } from '../../model/definition.ts'

type NumberFieldsProps = {
  /** The name, label and description of each field. */
  fields: readonly (readonly [name: string, label: string, description: string])[]
  values: Fields
  /** An empty field is undefined. */
  put: (part: Fields) => void
  errorOf: (name: string) => string | undefined
}

/** Inputs of whole numbers. */
export function NumberFields({ fields, values, put, errorOf }: NumberFieldsProps) {
  return fields.map(([name, label, description]) => {
    const value = values[name]
    return (
      <NumberInput
        key={name}
        label={label}
        description={description}
        allowDecimal={false}
        min={1}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => put({ [name]: typeof next === 'number' ? next : undefined })}
        error={errorOf(name)}
      />
    )
  })
}
