import { PageTabs } from '../../components/page-tabs.tsx'

export function WorkspaceTabs({ workspace }: { workspace: string }) {
  return (
    <PageTabs
      label="Workspace"
      tabs={[
        { title: 'Settings', link: { to: '/w/$workspace/settings', params: { workspace } } },
        { title: 'Members', link: { to: '/w/$workspace/members', params: { workspace } } },
      ]}
    />
  )
}
