import { Stack, Text } from '@mantine/core'
import type { Trigger } from '../model/definition.ts'
import { Subscribers } from '../subscribers/subscribers.tsx'
import { useSubscriptionCount } from '../subscribers/use-subscription-count.ts'

/** Who gets the alerts. Destinations belong to subscriptions, so a draft sends nothing. */
export function DestinationsTab({ published }: { published: Trigger | undefined }) {
  const active = useSubscriptionCount(published?.fullname)
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Each subscription chooses its own destinations. A draft sends nothing; the published version goes on sending.
      </Text>
      {published ? (
        <Subscribers trigger={published} active={active} />
      ) : (
        <Text>Publish the trigger, then subscribe to it.</Text>
      )}
    </Stack>
  )
}
