import { LinkText } from '../components/link-text.tsx'

/** The full name of a trigger, as a link if the trigger is in this workspace. */
export function TriggerName({ workspace, trigger }: { workspace: string; trigger: string }) {
  if (!trigger.startsWith(`${workspace}.`)) return <span className="mono">{trigger}</span>
  return (
    <LinkText to="/w/$workspace/triggers/$trigger" params={{ workspace, trigger }} className="mono">
      {trigger}
    </LinkText>
  )
}
