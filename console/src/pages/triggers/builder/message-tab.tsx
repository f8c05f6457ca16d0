import { Select, Stack, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { issueAt } from '../../../components/issue-list.tsx'
import { isObject } from '../../../forms/json.ts'
import { LongText } from '../../../forms/long-text.tsx'
import { MessageFields } from '../../../layouts/message/message-fields.tsx'
import { textOf } from '../model/definition.ts'
import type { Builder } from './state/builder-state.ts'

const modes = [
  { value: 'continuous', label: 'Every time' },
  { value: 'once', label: 'Once per subscription' },
  { value: 'once_per_key', label: 'Once per key' },
]

/** Title, description and message of the trigger. */
export function MessageTab({ builder: { state, dispatch }, issues }: { builder: Builder; issues: Issue[] }) {
  const { meta, defaults = {} } = state.definition
  const put = (name: string, value: unknown) =>
    dispatch({ type: 'change', part: { defaults: { ...defaults, [name]: value } } })
  const delivery = isObject(defaults.delivery) ? defaults.delivery : {}
  return (
    <Stack gap="md">
      <TextInput
        label="Title"
        value={meta.title}
        onChange={(event) =>
          dispatch({ type: 'change', part: { meta: { ...meta, title: event.currentTarget.value } } })
        }
        error={issueAt(issues, 'meta.title')}
      />
      <LongText
        label="Description"
        minRows={2}
        maxRows={16}
        value={meta.description ?? ''}
        onText={(description) => dispatch({ type: 'change', part: { meta: { ...meta, description } } })}
        error={issueAt(issues, 'meta.description')}
      />
      <MessageFields value={defaults} put={put} errorOf={(path) => issueAt(issues, `defaults.${path}`)} />
      <Select
        label="Delivery"
        data={modes}
        value={textOf(delivery.mode) || 'continuous'}
        onChange={(mode) =>
          put('delivery', mode === 'continuous' && delivery.finality === undefined ? undefined : { ...delivery, mode })
        }
        allowDeselect={false}
      />
      {delivery.mode === 'once_per_key' && (
        <TextInput
          label="Key"
          description="A path in the raw output, such as “to” or “params.id”."
          value={textOf(delivery.keyPath)}
          onChange={(event) => put('delivery', { ...delivery, keyPath: event.currentTarget.value || undefined })}
        />
      )}
    </Stack>
  )
}
