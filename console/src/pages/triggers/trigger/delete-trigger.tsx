import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../../components/confirm-action.tsx'
import { DangerButton } from '../../../components/danger-button.tsx'
import { useChange } from '../../../data/changes.ts'
import type { Trigger } from '../model/definition.ts'
import { subscriptionWords } from '../subscribers/subscription-words.ts'
import classes from './trigger.module.css'

/** The end of the page: the one action that cannot be undone. */
export function DeleteTrigger({ trigger, subscriptions }: { trigger: Trigger; subscriptions: number | undefined }) {
  const { fullname, workspace } = trigger
  const navigate = useNavigate()
  const remove = useChange('deleteTrigger', {
    notice: `${fullname} deleted.`,
    refetches: ['projects', 'templates', 'subscriptions'],
    after: () => navigate({ to: '/w/$workspace/triggers', params: { workspace } }),
  })
  return (
    <section className={classes.danger} aria-label="Delete this trigger">
      <div>
        <Text fw={550}>Delete this trigger</Text>
        <Text size="sm" c="dimmed">
          {stopWords(subscriptions)} Past alerts stay. You cannot undo this.
        </Text>
      </div>
      <ConfirmAction
        title={`Delete ${fullname}?`}
        text="Its subscribers receive no more alerts, and template rules that use it stop working. This cannot be undone."
        verb="Delete trigger"
        act={() => remove.mutateAsync({ fullname })}
      >
        {(open) => <DangerButton onClick={open}>Delete trigger…</DangerButton>}
      </ConfirmAction>
    </section>
  )
}

function stopWords(subscriptions: number | undefined): string {
  if (subscriptions === undefined) return 'Its subscriptions stop.'
  if (subscriptions === 0) return 'It has no active subscriptions.'
  return `${subscriptionWords(subscriptions)} ${subscriptions === 1 ? 'stops' : 'stop'}.`
}
