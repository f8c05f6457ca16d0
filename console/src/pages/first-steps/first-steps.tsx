import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconCheck } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { ProjectTask, TimerTask, WorkspaceTask } from './building-tasks.tsx'
import { DestinationTask } from './destination-task.tsx'
import classes from './first-steps.module.css'
import { SubscribeTask } from './subscribe-task.tsx'
import { intervalOf, type Progress, useProgress } from './use-progress.ts'
import { WatchTask } from './watch-task.tsx'

/** From nothing to a live alert: a timer needs neither a key nor a node. */
export function FirstStepsPage() {
  const progress = useProgress()
  const [resources, setResources] = useState<string[]>()
  const [hasRung, setRung] = useState(false)
  if (progress.isLoading) return <PageLoading />
  const tasks = tasksOf(progress, { resources, choose: setResources, hasRung, rang: () => setRung(true) })
  const open = tasks.findIndex(({ isDone }) => !isDone)
  // What arrived stays in sight.
  const at = open === -1 ? tasks.length - 1 : open
  const { workspace } = progress
  return (
    <Page
      title="First steps"
      about="Six short steps to a live alert. It runs on a timer, so you need no key and no node."
      actions={
        workspace && (
          <LinkButton to="/w/$workspace/projects" params={{ workspace: workspace.fullname }} variant="default">
            Skip to my projects
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

type Course = {
  resources: string[] | undefined
  choose: (resources: string[]) => void
  hasRung: boolean
  rang: () => void
}

function tasksOf(
  { workspace, project, timer, subscription }: Progress,
  { resources, choose, hasRung, rang }: Course,
): Task[] {
  const chosen = subscription?.resources ?? resources
  return [
    {
      title: 'Make a workspace',
      isDone: workspace !== undefined,
      brief: workspace?.meta.title ?? workspace?.fullname,
      body: <WorkspaceTask />,
    },
    {
      title: 'Make a project in it',
      isDone: project !== undefined,
      brief: project?.meta.title,
      body: workspace && <ProjectTask workspace={workspace.fullname} />,
    },
    {
      title: 'Add a trigger: a timer',
      isDone: timer !== undefined,
      brief: timer && `${timer.meta.title}, every ${intervalOf(timer)}`,
      body: project && <TimerTask project={project} />,
    },
    {
      title: 'Say where alerts go',
      isDone: chosen !== undefined,
      brief: chosen?.length === 0 ? 'Shown right here' : chosen?.join(', '),
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
      title: 'Watch the alert arrive',
      isDone: hasRung && subscription !== undefined,
      body: workspace && timer && subscription && (
        <WatchTask workspace={workspace.fullname} timer={timer} subscription={subscription} rang={rang} />
      ),
    },
  ]
}
