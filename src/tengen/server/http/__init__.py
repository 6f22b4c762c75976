"""What is asked once: routes (`api`, `api_study`, `api_lab`) and what wraps them."""
