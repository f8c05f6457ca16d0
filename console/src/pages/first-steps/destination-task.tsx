import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChoiceCards } from '../../components/choice-cards.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useChange } from '../../data/changes.ts'
import { useForm } from '../../forms/use-form.ts'
import { newWebhookSecret } from '../../layouts/destination/webhook-secret.ts'

type DestinationTaskProps = { workspace: string; choose: (resources: string[]) => void }
const ways = [
  { value: 'here', label: 'Just show them here', about: 'The quickest. You can add a destination at any time.' },
  { value: 'webhook', label: 'Also send them to a webhook', about: 'A POST request to a URL of yours, signed.' },
]

export function DestinationTask({ workspace, choose }: DestinationTaskProps) {
  const [way, setWay] = useState('here')
  return (
    <Stack gap="md">
      <ChoiceCards label="Where alerts go" isLabelHidden choices={ways} value={way} onChange={setWay} />
      {way === 'here' ? (
        <Group>
          <Button onClick={() => choose([])}>Show them here</Button>
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
    check: ({ url }) => (URL.canParse(url) ? [] : [{ path: 'url', message: 'Enter the whole URL, with https://' }]),
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
          It gets a signing secret, which you find later under Resources.
        </Text>
        <ErrorNotice error={form.failure} shownElsewhere={(path) => path.endsWith('url')} />
        <Group>
          <Button type="submit" loading={form.isSaving}>
            Use this webhook
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
