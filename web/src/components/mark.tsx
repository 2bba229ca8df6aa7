/** Legion's logo: six small diamonds. */
export function Mark({ className }: { readonly className?: string }) {
  return (
    <svg className={className} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <g fill="var(--on-accent)">
        <path d="M5 7.2 8.4 5.2 11.8 7.2 8.4 9.2z" />
        <path d="M12.2 7.2 15.6 5.2 19 7.2 15.6 9.2z" opacity=".75" />
        <path d="M5 12 8.4 10 11.8 12 8.4 14z" opacity=".75" />
        <path d="M12.2 12 15.6 10 19 12 15.6 14z" />
        <path d="M5 16.8 8.4 14.8 11.8 16.8 8.4 18.8z" />
        <path d="M12.2 16.8 15.6 14.8 19 16.8 15.6 18.8z" opacity=".55" />
      </g>
    </svg>
  );
}
