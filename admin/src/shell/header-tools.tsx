// What the head of every page offers, beside the person's own menu.
import { SearchTool } from './search-tool.tsx';

export function HeaderTools() {
  return <SearchTool />;
}
