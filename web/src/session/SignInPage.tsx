import { SignInForm } from './SignInForm';

export function SignInPage() {
  return (
    <main>
      <SignInForm />
    </main>
  );
}
