"""What is asked once: routes (`api`, `api_study`), who asks (`people`), and what keeps strangers in check."""
