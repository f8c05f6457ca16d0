import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChoiceCards } from '../../components/choice-cards.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useChange } from '../../data/changes.ts'
import { useForm } from '../../forms/use-form.ts'
import { newWebhookSecret } from '../../layouts/destination/webhook-secret.ts'

type DestinationTaskProps = { workspace: string; choose: (resources: string[]) => void }
const options = [
  {
    value: 'here',
    label: 'Show alerts in the app only',
    about: 'The quickest option. You can add a destination later.',
  },
  { value: 'webhook', label: 'Also send alerts to a webhook', about: 'A signed POST request to your URL.' },
]

export function DestinationTask({ workspace, choose }: DestinationTaskProps) {
  const [option, setOption] = useState('here')
  return (
    <Stack gap="md">
      <ChoiceCards label="Destination" isLabelHidden choices={options} value={option} onChange={setOption} />
      {option === 'here' ? (
        <Group>
          <Button onClick={() => choose([])}>Continue without destination</Button>
        </Group>
      ) : (
        <WebhookForm workspace={workspace} choose={choose} />
      )}
    </Stack>
  )
}

function WebhookForm({ workspace, choose }: DestinationTaskProps) {
  const create = useChange('saveResource', { after: ({ fullname }) => choose([fullname]) })
  const form = useForm({
    initial: { url: '' },
    check: ({ url }) => (URL.canParse(url) ? [] : [{ path: 'url', message: 'Enter the full URL, with https://' }]),
    save: ({ url }) => {
      const fullname = `${workspace}.first-webhook`
      const data = { url, secret: newWebhookSecret() }
      const body = { name: 'first-webhook', fullname, workspace, blueprint: 'common.delivery.webhook', data }
      return create.mutateAsync({ fullname, body: { ...body, meta: { title: 'First webhook' } } })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <TextInput label="URL" placeholder="https://example.org/alerts" type="url" {...form.text('url')} />
        <Text size="sm" c="dimmed">
          The service generates a signing secret. You find it later under Destinations.
        </Text>
        <ErrorNotice error={form.failure} shownElsewhere={(path) => path.endsWith('url')} />
        <Group>
          <Button type="submit" loading={form.isSaving}>
            Add webhook
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
