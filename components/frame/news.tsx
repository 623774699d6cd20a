/** Where news appears (`ui/toast.tsx`). */
import { Toaster } from "sonner";

export function News() {
  return <Toaster position="bottom-right" visibleToasts={4} gap={8} toastOptions={{ unstyled: true }} />;
}
