import { NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import type { ChainDescription, Issue, SpecInput } from '@tocsin/contract'
import { Details } from '../../../../components/details.tsx'
import { issueAt } from '../../../../components/issue-list.tsx'
import { textOf } from '../../model/definition.ts'
import type { Builder } from '../state/builder-state.ts'
import { AbiInput } from './abi-input.tsx'
import { ContractField } from './contract-field.tsx'
import { IdlInput } from './idl-input.tsx'

type SpecInputsProps = { inputs: readonly SpecInput[]; chain: ChainDescription; builder: Builder; issues: Issue[] }

/** The form of a type of triggerSpec, as its chain describes it. */
export function SpecInputs({ inputs, ...rest }: SpecInputsProps) {
  return [...Map.groupBy(inputs, ({ group }) => group)].map(([group, inputs]) => {
    const fields = inputs.map((input) => <Input key={`${input.as} ${input.name}`} input={input} {...rest} />)
    if (group === undefined) return fields
    return (
      <Details key={group} summary={group}>
        <Stack gap="sm">{fields}</Stack>
      </Details>
    )
  })
}

type InputProps = Omit<SpecInputsProps, 'inputs'> & { input: SpecInput }

function Input({ input, chain, builder, issues }: InputProps) {
  const { name, label, description, placeholder } = input
  const value = builder.state.definition.triggerSpec?.[name]
  const put = (next: unknown) => builder.dispatch({ type: 'changeSpec', part: { [name]: next } })
  const common = { label, description, placeholder, error: issueAt(issues, `triggerSpec.${name}`) }
  switch (input.as) {
    case 'text':
      return (
        <TextInput
          {...common}
          value={textOf(value)}
          onChange={(event) => put(event.currentTarget.value || undefined)}
          spellCheck={false}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => put(typeof next === 'number' ? next : undefined)}
          min={input.min}
          max={input.max}
          allowDecimal={false}
        />
      )
    case 'switch':
      return (
        <Switch
          {...common}
          checked={typeof value === 'boolean' ? value : input.default}
          onChange={({ currentTarget: { checked } }) => put(checked === input.default ? undefined : checked)}
        />
      )
    case 'choice':
      return <ChoiceInput input={input} value={value} put={put} error={common.error} />
    case 'contracts':
      return (
        <ContractField
          value={value}
          onChange={put}
          issues={issues}
          path={`triggerSpec.${name}`}
          description={description ?? ''}
        />
      )
    case 'abi':
      return <AbiInput input={input} addressType={chain.address.type} builder={builder} issues={issues} />
    case 'idl':
      return <IdlInput input={input} builder={builder} issues={issues} />
  }
}

type ChoiceInputProps = {
  input: Extract<SpecInput, { as: 'choice' }>
  value: unknown
  put: (value: unknown) => void
  error: string | undefined
}

/** One of several values. The default is not stored. */
function ChoiceInput({ input, value, put, error }: ChoiceInputProps) {
  const { label, description, options } = input
  return (
    <Select
      label={label}
      description={description}
      data={options.map((option) => ({ value: String(option.value), label: option.label }))}
      value={String(value ?? input.default)}
      onChange={(chosen) => {
        const next = options.find((option) => String(option.value) === chosen)?.value
        put(next === input.default ? undefined : next)
      }}
      error={error}
      allowDeselect={false}
    />
  )
}
