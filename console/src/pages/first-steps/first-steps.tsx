import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ChoiceCards } from '../../components/choice-cards.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconCheck } from '../../components/icons.tsx'
import { LinkButton } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { useChange } from '../../data/changes.ts'
import { useForm } from '../../forms/use-form.ts'
import { newWebhookSecret } from '../../layouts/destination/webhook-secret.ts'
import { ProjectTask, TimerTask, WorkspaceTask } from './building-tasks.tsx'
import classes from './first-steps.module.css'
import { intervalOf, type Progress, type Trigger, useProgress } from './use-progress.ts'
import { WatchTask } from './watch-task.tsx'

/** Leads a new user to a live alert. It uses a timer, which needs no node and no key. */
export function FirstStepsPage() {
  const progress = useProgress()
  const [resources, setResources] = useState<string[]>()
  const [hasAlert, setHasAlert] = useState(false)
  if (progress.isLoading) return <PageLoading />
  const tasks = tasksOf(progress, { resources, choose: setResources, hasAlert, onAlert: () => setHasAlert(true) })
  const open = tasks.findIndex(({ isDone }) => !isDone)
  // When all steps are done, the last one stays open.
  const at = open === -1 ? tasks.length - 1 : open
  const { workspace } = progress
  return (
    <Page
      title="First steps"
      about="Six short steps to a live alert. The alert comes from a timer, so you need no node and no key."
      actions={
        workspace && (
          <LinkButton to="/w/$workspace/watch" params={{ workspace: workspace.fullname }} variant="default">
            Watch a chain instead
          </LinkButton>
        )
      }
      isNarrow
    >
      <ErrorNotice error={progress.error} />
      <ol className={classes.tasks}>
        {tasks.map(({ title, isDone, brief, body }, place) => (
          <li
            key={title}
            className={classes.task}
            data-state={isDone ? 'done' : place === at ? 'now' : 'later'}
            aria-current={place === at ? 'step' : undefined}
          >
            <span className={classes.mark}>{isDone ? <IconCheck size={16} /> : place + 1}</span>
            <div className={classes.body}>
              <h2 className={classes.title}>{title}</h2>
              {isDone && brief && (
                <Text size="sm" c="dimmed" component="div">
                  {brief}
                </Text>
              )}
              {place === at && <div className={classes.now}>{body}</div>}
            </div>
          </li>
        ))}
      </ol>
    </Page>
  )
}

type Task = { title: string; isDone: boolean; brief?: ReactNode; body: ReactNode }

type Choices = {
  resources: string[] | undefined
  choose: (resources: string[]) => void
  hasAlert: boolean
  onAlert: () => void
}

function tasksOf(
  { workspace, project, timer, subscription }: Progress,
  { resources, choose, hasAlert, onAlert }: Choices,
): Task[] {
  const chosen = subscription?.resources ?? resources
  return [
    {
      title: 'Create a workspace',
      isDone: workspace !== undefined,
      brief: workspace?.meta.title ?? workspace?.fullname,
      body: <WorkspaceTask />,
    },
    {
      title: 'Create a project',
      isDone: project !== undefined,
      brief: project?.meta.title,
      body: workspace && <ProjectTask workspace={workspace.fullname} />,
    },
    {
      title: 'Create a timer trigger',
      isDone: timer !== undefined,
      brief: timer && `${timer.meta.title}, every ${intervalOf(timer)}`,
      body: project && <TimerTask project={project} />,
    },
    {
      title: 'Choose a destination',
      isDone: chosen !== undefined,
      brief: chosen?.length === 0 ? 'In app only' : chosen?.join(', '),
      body: workspace && <DestinationTask workspace={workspace.fullname} choose={choose} />,
    },
    {
      title: 'Subscribe',
      isDone: subscription !== undefined,
      brief: 'You are subscribed to the timer',
      body: workspace && timer && (
        <SubscribeTask workspace={workspace.fullname} timer={timer} resources={chosen ?? []} />
      ),
    },
    {
      title: 'Receive the alert',
      isDone: hasAlert && subscription !== undefined,
      body: workspace && timer && subscription && (
        <WatchTask workspace={workspace.fullname} timer={timer} subscription={subscription} onAlert={onAlert} />
      ),
    },
  ]
}

type SubscribeTaskProps = { workspace: string; timer: Trigger; resources: string[] }

function SubscribeTask({ workspace, timer: { fullname: trigger, project }, resources }: SubscribeTaskProps) {
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

type DestinationTaskProps = { workspace: string; choose: (resources: string[]) => void }
const options = [
  {
    value: 'here',
    label: 'Show alerts in the app only',
    about: 'The quickest option. You can add a destination later.',
  },
  { value: 'webhook', label: 'Also send alerts to a webhook', about: 'A signed POST request to your URL.' },
]

function DestinationTask({ workspace, choose }: DestinationTaskProps) {
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
