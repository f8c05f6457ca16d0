import { Button, Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useWorkspace } from '../../../data/workspace.ts'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import type { AddressSource } from '../../../layouts/address/use-sources.ts'
import { useDestinations } from '../../../layouts/destination/health.tsx'
import { NotSeen } from '../../../layouts/not-seen.tsx'
import type { Made } from '../model/go-live.ts'
import classes from '../watch.module.css'

type SummaryProps = {
  /** “When …”, without a full stop. */
  sentence: string
  source?: AddressSource
  resources: string[]
  /** What the alerts leave out, in sentences. */
  notSeen?: readonly string[]
  isStarting: boolean
  error: Error | null
  /** What a failed attempt has made. */
  made: Made | undefined
  start: () => void
}

/** The answers as one sentence, with the button that makes them live. */
export function Summary({ sentence, source, resources, notSeen = [], isStarting, error, made, start }: SummaryProps) {
  const { fullname: workspace } = useWorkspace()
  const { items } = useDestinations(workspace)
  const titles = resources.map((name) => items.find(({ fullname }) => fullname === name)?.meta.title ?? name)
  return (
    <aside className={classes.summary} aria-label="Summary">
      <Text size="sm" c="dimmed">
        Your alert
      </Text>
      <p className={classes.sentence}>
        <AddressText text={sentence} source={source} />,{' '}
        {titles.length === 0 ? 'show it in the app' : `send it to ${titles.join(' and ')}`}.
      </p>
      <Button size="md" fullWidth loading={isStarting} onClick={start}>
        {error ? 'Continue' : 'Start watching'}
      </Button>
      {error && <ErrorNotice error={error} title="It is not live yet" />}
      {error && made && <Text size="sm">{madeText(made)}</Text>}
      <NotSeen sentences={notSeen} />
    </aside>
  )
}

function madeText({ project, triggers, subscriptions }: Made): string {
  const parts = [
    ...(project === undefined ? [] : [`the project ${project}`]),
    ...triggers.map((name) => `the trigger ${name}`),
    ...(subscriptions.length === 0 ? [] : [`${subscriptions.length} subscription`]),
  ]
  if (parts.length === 0) return 'Nothing was created. Correct the error and continue.'
  return `Ready so far: ${parts.join(', ')}. Continue goes on from there and creates nothing twice.`
}
