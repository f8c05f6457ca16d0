import { PageTabs } from '../../components/page.tsx'

export function SourceTabs({ workspace }: { workspace: string }) {
  return (
    <PageTabs
      label="Sources"
      tabs={[
        { title: 'This workspace', link: { to: '/w/$workspace/sources', params: { workspace } } },
        { title: 'All available', link: { to: '/w/$workspace/sources/runtime', params: { workspace } } },
      ]}
    />
  )
}
