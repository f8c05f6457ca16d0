import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { hasContract, type Issue } from '@tocsin/contract'
import { IconPlus, IconTrash } from '../../../../components/icons.tsx'
import { issueAt } from '../../../../components/issue-list.tsx'
import { isObject } from '../../../../forms/json.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { addBinding, putBinding } from '../../model/source-bindings.ts'
import { kindOf, specType } from '../../model/spec-kinds.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { ContractField } from './contract-field.tsx'
import { SourceSelect } from './source-select.tsx'

type BindingProps = { builder: Builder; issues: Issue[] }
const bindingsMax = 32

/** The sources of a trigger on several sources. */
export function BindingFields({ builder, issues }: BindingProps) {
  const { definition } = builder.state
  const bindings = definition.sourceBindings ?? []
  return (
    <Stack gap="sm">
      {bindings.map((binding, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the id of a binding can change, and its order is its position
        <Binding key={at} builder={builder} issues={issues} at={at} binding={binding} />
      ))}
      {bindings.length < bindingsMax && (
        <Group gap="sm">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => builder.dispatch({ type: 'change', part: addBinding(definition) })}
          >
            Add another source
          </Button>
          {bindings.length === 0 && (
            <Text size="sm" c="dimmed">
              One trigger can watch several chains.
            </Text>
          )}
        </Group>
      )}
      {issueAt(issues, 'sourceBindings') && (
        <Text size="sm" c="var(--mantine-color-error)">
          {issueAt(issues, 'sourceBindings')}
        </Text>
      )}
    </Stack>
  )
}

type OneProps = BindingProps & { at: number; binding: Fields }

function Binding({ builder, issues, at, binding }: OneProps) {
  const { state, dispatch } = builder
  const { definition } = state
  const path = `sourceBindings.${at}`
  const id = textOf(binding.id)
  const put = (part: Fields) => dispatch({ type: 'change', part: putBinding(definition, at, part) })
  return (
    <Paper withBorder p="md" component="section" aria-label={`Source ${id}`}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={3} size="h5">
            Source {at + 1}
          </Title>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove source ${id}`}
            onClick={() => dispatch({ type: 'removeBinding', at })}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
        <SourceSelect
          kind={kindOf(definition.triggerSpec)}
          value={textOf(binding.dataSource)}
          onChange={(dataSource) => put({ dataSource })}
        />
        <TextInput
          label="Id"
          description="Scripts read it as source.binding."
          value={id}
          onChange={(event) => put({ id: event.currentTarget.value })}
          error={issueAt(issues, `${path}.id`)}
          spellCheck={false}
        />
        {hasContract(specType(definition.triggerSpec)) && (
          <ContractField
            value={binding.contract}
            onChange={(contract) => put({ contract })}
            issues={issues}
            path={`${path}.contract`}
            description="Leave empty to use the contract of the trigger."
          />
        )}
        <JsonField
          label="Values"
          description="Inputs for items of this source, as a JSON object. They replace inputs of the same name."
          value={binding.values}
          accepts={isObject}
          refusal="Enter a JSON object."
          onChange={(values) => put({ values })}
          invalidText={invalidTextIn(builder, `${path}.values`, `Values of source ${id} (Source tab)`)}
          error={issueAt(issues, `${path}.values`)}
          minHeight={40}
        />
      </Stack>
    </Paper>
  )
}
