import { Button, Group, Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useChange } from '../../data/changes.ts'
import type { Trigger } from './use-progress.ts'

type SubscribeTaskProps = { workspace: string; timer: Trigger; resources: string[] }

export function SubscribeTask({ workspace, timer: { fullname: trigger, project }, resources }: SubscribeTaskProps) {
  const create = useChange('createSubscription')
  const subscribe = () =>
    create.mutate({ body: { workspace, project, trigger, resources, meta: { title: 'My first alert' } } })
  return (
    <Stack gap="sm">
      <Text size="sm">Alerts of a trigger go to its subscribers. Everyone who can see the project can subscribe.</Text>
      <Group>
        <Button onClick={subscribe} loading={create.isPending}>
          Subscribe to the timer
        </Button>
      </Group>
      <ErrorNotice error={create.error} />
    </Stack>
  )
}
