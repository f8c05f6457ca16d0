import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { IconCheck, IconChevronDown, IconPlus, IconWorkspace } from '../components/icons.tsx'
import { Picture } from '../components/picture.tsx'
import { rememberWorkspace, useCurrentWorkspace } from '../data/workspace.ts'
import classes from './shell.module.css'

/** Shows the current workspace. Choosing another one opens its home page. */
export function WorkspaceSwitcher() {
  const { current, all } = useCurrentWorkspace()
  const navigate = useNavigate()
  const choose = (workspace: string) => {
    rememberWorkspace(workspace)
    void navigate({ to: '/w/$workspace/home', params: { workspace } })
  }
  const title = current ? (current.meta.title ?? current.fullname) : 'No workspace yet'
  return (
    <Menu withinPortal={false} width={232} position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.current}>
          {current ? <Picture url={current.meta.avatar} name={title} size={26} /> : <IconWorkspace />}
          <span className={classes.names}>
            <VisuallyHidden>Workspace: </VisuallyHidden>
            <span className={classes.name}>{title}</span>
          </span>
          <span className={classes.chevron}>
            <IconChevronDown size={16} />
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {all.map(({ fullname, meta }) => (
          <Menu.Item
            key={fullname}
            leftSection={<Picture url={meta.avatar} name={meta.title ?? fullname} size={22} />}
            rightSection={fullname === current?.fullname ? <IconCheck size={16} /> : undefined}
            onClick={() => choose(fullname)}
          >
            {meta.title ?? fullname}
          </Menu.Item>
        ))}
        {all.length > 0 && <Menu.Divider />}
        <Menu.Item leftSection={<IconPlus />} onClick={() => void navigate({ to: '/workspaces/new' })}>
          Create workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
