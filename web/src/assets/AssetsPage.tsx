import { AssetCommandsProvider } from './actions/asset-commands';
import { FolderCommandsProvider } from '../folders/folder-commands';
import { LibraryProvider } from '../library/use-library';
import { LibraryLayout } from './LibraryLayout';

/** A client's library, with the same controls for operators and for the client's own users. */
export function AssetsPage() {
  return (
    <LibraryProvider>
      <AssetCommandsProvider>
        <FolderCommandsProvider>
          <LibraryLayout />
        </FolderCommandsProvider>
      </AssetCommandsProvider>
    </LibraryProvider>
  );
}
