import { LinkText } from '../components/links.tsx'
import { useTitles } from './alert/use-titles.ts'

/** The title of a trigger, as a link if the trigger is in this workspace. Its full name is shown on hover. */
export function TriggerName({ workspace, trigger }: { workspace: string; trigger: string }) {
  const title = useTitles(workspace).trigger(trigger)
  if (!trigger.startsWith(`${workspace}.`)) return <span title={trigger}>{title}</span>
  return (
    <LinkText to="/w/$workspace/triggers/$trigger" params={{ workspace, trigger }} title={trigger}>
      {title}
    </LinkText>
  )
}
